<?php
/** The signed calls of the checkout server, and the exchange of the pairing code. */

defined( '_PS_VERSION_' ) || exit;

class TillkitCallModuleFrontController extends ModuleFrontController {

	public function postProcess(): void {
		$purpose = tillkit_requested( 'purpose' );
		$bytes   = (string) file_get_contents( 'php://input' );
		if ( 'pair' === $purpose ) {
			$answer = tillkit_pair( $bytes, time() );
			tillkit_log_answer( 'pair', $answer );
		} else {
			$headers = array();
			foreach ( array( 'store', 'time', 'signature' ) as $name ) {
				$headers[ $name ] = (string) ( $_SERVER[ 'HTTP_X_TILLKIT_' . strtoupper( $name ) ] ?? '' );
			}
			$answer = tillkit_answer_call( $purpose, $headers, $bytes, time() );
		}
		$response = tillkit_response( $answer );
		tillkit_send_json( $response['status'], $response['body'] );
	}

	/** A payment that arrives while the shop is in maintenance is recorded. */
	protected function displayMaintenancePage(): void {
	}

	/** Nor does it matter from which country the checkout server calls. */
	protected function displayRestrictedCountryPage(): void {
	}
}

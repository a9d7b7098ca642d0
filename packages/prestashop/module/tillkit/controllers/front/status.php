<?php
/** The payment status that the shopper's pages poll. */

defined( '_PS_VERSION_' ) || exit;

class TillkitStatusModuleFrontController extends ModuleFrontController {

	public function postProcess(): void {
		$answer = tillkit_answer_status( (string) file_get_contents( 'php://input' ) );
		tillkit_send_json( $answer['status'], $answer['body'] );
	}
}

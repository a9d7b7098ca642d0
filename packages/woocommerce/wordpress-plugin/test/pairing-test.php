<?php
/** The pairing, with which the owner connects the shop with its checkout server by a button. */

/** The page that the owner sees after the click on "Connect". */
function pairing_page(): string {
	$_GET = array( '_wpnonce' => wp_create_nonce( 'tillkit_pair' ) );
	try {
		tillkit_answer_pair_page();
	} catch ( Request_Ended $ended ) {
		return $ended->status . ' ' . $ended->body;
	}
	throw new LogicException( 'The request did not end.' );
}

function pairing_code(): string {
	preg_match( '/name="code" value="([0-9a-f]{64})"/', pairing_page(), $found );
	return $found[1];
}

/** @return array{status:int,body:array} The answer to the checkout server. */
function pair( array $change = array() ): array {
	$body     = $change + array( 'store' => 'boutique', 'checkout_server' => 'https://pay.example' );
	$body    += isset( $body['code'] ) ? array() : array( 'code' => pairing_code() );
	$response = tillkit_answer_pair( new WP_REST_Request( json_encode( $body ) ) );
	return array( 'status' => $response->status, 'body' => $response->data );
}

test(
	'A new shop is connected with its checkout server\'s address alone: store id and link secret come from the pairing',
	static function (): void {
		update_option( 'woocommerce_tillkit_settings', array( 'checkout_server' => 'https://pay.example', 'title' => 'Mobile money' ) );
		update_option( 'tillkit_link_secrets', array() );
		assert_same( false, tillkit_is_configured() );
		$answer = pair( array( 'store' => 'new-shop' ) );
		assert_same( 200, $answer['status'] );
		assert_same( array( $answer['body']['link_secret'] ), tillkit_link_secrets() );
		assert_same( 64, strlen( $answer['body']['link_secret'] ) );
		assert_same( 'new-shop', tillkit_settings()['store'] );
		assert_same( 'Mobile money', get_option( 'woocommerce_tillkit_settings' )['title'] );
		assert_same( true, tillkit_is_configured() );
	}
);

test(
	'Connecting again changes the link secret, and the previous one stays valid for payments in progress',
	static function (): void {
		$answer = pair();
		assert_same( array( $answer['body']['link_secret'], SECRET ), tillkit_link_secrets() );
	}
);

test(
	'A pairing code works once',
	static function (): void {
		$code = pairing_code();
		assert_same( 200, pair( array( 'code' => $code ) )['status'] );
		$secrets = tillkit_link_secrets();
		assert_same( 'tillkit_pairing_refused', pair( array( 'code' => $code ) )['body']['code'] );
		assert_same( $secrets, tillkit_link_secrets() );
	}
);

test(
	'A pairing code is refused after fifteen minutes, at another checkout server, and when it was guessed',
	static function (): void {
		$code    = pairing_code();
		$refused = array(
			tillkit_pair( json_encode( array( 'code' => $code, 'store' => 'boutique', 'checkout_server' => 'https://pay.example' ) ), time() + 901 ),
			tillkit_pair( json_encode( array( 'code' => $code, 'store' => 'boutique', 'checkout_server' => 'https://evil.example' ) ), time() ),
			tillkit_pair( json_encode( array( 'code' => str_repeat( '0', 64 ), 'store' => 'boutique', 'checkout_server' => 'https://pay.example' ) ), time() ),
		);
		foreach ( $refused as $answer ) {
			assert_same( 'tillkit_pairing_refused', $answer->get_error_code() );
		}
		assert_same( array( SECRET, PREVIOUS ), tillkit_link_secrets() );
		assert_same( 200, pair( array( 'code' => $code ) )['status'] );
	}
);

test(
	'The shop stores the hash of the code and never the code',
	static function (): void {
		$code = pairing_code();
		assert_not_contains( $code, json_encode( Shop_State::read()['options'] ) );
		assert_same( false, strpos( pairing_page(), "?code=$code" ) );
	}
);

test(
	'Only a person who manages the shop can start a pairing, and only from the settings page',
	static function (): void {
		Stubs::$capabilities = array( 'edit_shop_orders' );
		assert_contains( '403', pairing_page() );
		Stubs::$capabilities = array( 'manage_woocommerce' );
		$_GET                = array();
		$status              = 0;
		try {
			tillkit_answer_pair_page();
		} catch ( Request_Ended $ended ) {
			$status = $ended->status;
		}
		assert_same( 403, $status );
		assert_same( false, get_option( 'tillkit_pairing' ) );
	}
);

test(
	'The settings page offers the connection once the address is saved, and says when it is made',
	static function (): void {
		assert_contains( 'Connect again with a new link secret', settings_page() );
		assert_contains( 'id="tillkit-connection"', settings_page() );
		$_GET = array( 'tillkit_paired' => 'yes' );
		assert_contains( 'are connected', settings_page() );
		update_option( 'woocommerce_tillkit_settings', array( 'checkout_server' => '' ) );
		assert_not_contains( 'action=tillkit_pair', settings_page() );
		assert_not_contains( 'are connected', settings_page() );
	}
);

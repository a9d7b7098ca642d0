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
			assert_same( 'tillkit_pairing_refused', $answer->code );
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
		assert_not_contains( 'such as your live key', settings_page(), 'keys are in the configuration of this server;' );
		pair( array( 'owner_pages' => true ) );
		assert_contains( 'such as your live key', settings_page() );
		update_option( 'woocommerce_tillkit_settings', array( 'checkout_server' => '' ) );
		assert_not_contains( 'action=tillkit_pair', settings_page() );
		assert_not_contains( 'are connected', settings_page() );
	}
);

/** The settings as the owner sees them after a redirect to this address. */
function settings_page_at( string $address ): string {
	parse_str( (string) parse_url( $address, PHP_URL_QUERY ), $_GET );
	return settings_page();
}

/** What a page of the administration answers: the status, and the address or the text. */
function owner_page( callable $page, string $action, string $method = 'GET' ): array {
	$_GET                      = array( '_wpnonce' => wp_create_nonce( $action ) );
	$_SERVER['REQUEST_METHOD'] = $method;
	try {
		$page();
	} catch ( Request_Ended $ended ) {
		return array( $ended->status, $ended->body );
	}
	throw new LogicException( 'The request did not end.' );
}

test(
	'A shop that is connected already proves it with its link secret, and a new shop sends no proof',
	static function (): void {
		$page = pairing_page();
		preg_match( '/name="code" value="([0-9a-f]{64})"/', $page, $code );
		$proof = tillkit_sign( array( 'tillkit v1 pair', tillkit_settings()['store'], $code[1] ), SECRET );
		assert_contains( 'name="proof" value="' . $proof . '"', $page );
		update_option( 'tillkit_link_secrets', array() );
		assert_same( false, strpos( pairing_page(), 'name="proof"' ) );
	}
);

test(
	'An owner of a server that has pages for owners gets there by a link of the checkout server, and by no other address',
	static function (): void {
		assert_same( false, tillkit_has_owner_pages() );
		pair( array( 'owner_pages' => true ) );
		assert_same( true, tillkit_has_owner_pages() );
		$link                   = 'https://pay.example/operators/login/once/code';
		Stubs::$checkout_server = static function () use ( &$link ): array {
			return array( 'status' => 200, 'body' => json_encode( array( 'url' => $link ) ) );
		};
		Stubs::$capabilities    = array( 'edit_shop_orders' );
		assert_same( array( 303, $link ), owner_page( 'tillkit_answer_open_payments', 'tillkit_open_payments' ) );
		$call = json_decode( end( Stubs::$calls )['body'], true );
		assert_same( array( '7', 'viewer' ), array( $call['user'], $call['role'] ) );
		$link = 'https://pay.example.evil/operators/login/once/code';
		assert_same( 502, owner_page( 'tillkit_answer_open_payments', 'tillkit_open_payments' )[0] );
		Stubs::$capabilities = array();
		assert_same( 403, owner_page( 'tillkit_answer_open_payments', 'tillkit_open_payments' )[0] );
	}
);

test(
	'Disconnecting asks first, and keeps the link secret while payments are being finished',
	static function (): void {
		pair( array( 'owner_pages' => true ) );
		$state                  = 'leaving';
		Stubs::$checkout_server = static function () use ( &$state ): array {
			return array( 'status' => 200, 'body' => json_encode( array( 'state' => $state ) ) );
		};
		assert_same( 200, owner_page( 'tillkit_answer_disconnect_page', 'tillkit_disconnect' )[0] );
		assert_same( true, tillkit_is_configured() );
		list( $status, $address ) = owner_page( 'tillkit_answer_disconnect_page', 'tillkit_disconnect', 'POST' );
		assert_same( 303, $status );
		assert_same( array( true, false ), array( tillkit_is_configured(), tillkit_settings()['enabled'] ) );
		assert_contains( 'finishes those in progress', settings_page_at( $address ) );
		$state                    = 'left';
		list( $status, $address ) = owner_page( 'tillkit_answer_disconnect_page', 'tillkit_disconnect', 'POST' );
		assert_same( array( false, array() ), array( tillkit_is_configured(), tillkit_link_secrets() ) );
		assert_contains( 'The shop is disconnected.', settings_page_at( $address ) );
		pair( array( 'owner_pages' => true ) );
		assert_not_contains( 'The shop is disconnected.', settings_page_at( $address ) );
	}
);

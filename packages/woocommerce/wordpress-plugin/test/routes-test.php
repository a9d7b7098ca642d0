<?php
/** The plugin's routes below tillkit/v1, for the signed calls of the checkout server. */

test(
	'The plugin registers its routes below tillkit/v1',
	static function (): void {
		do_action( 'rest_api_init' );
		assert_same( array( 'tillkit/v1/orders', 'tillkit/v1/pair', 'tillkit/v1/wait', 'tillkit/v1/mark-paid', 'tillkit/v1/hold', 'tillkit/v1/note', 'tillkit/v1/record-refund', 'tillkit/v1/decision', 'tillkit/v1/ping' ), array_keys( $GLOBALS['routes'] ) );
		foreach ( $GLOBALS['routes'] as $route ) {
			assert_same( 'POST', $route['methods'] );
		}
	}
);

test(
	'A signed mark-paid call marks the order paid and its answer is not cacheable',
	static function (): void {
		place_order();
		$response = tillkit_answer_request( 'mark-paid', signed_request( 'mark-paid', json_encode( mark_paid_request() ) ) );
		assert_same( 200, $response->status );
		assert_same( 'no-store', $response->headers['Cache-Control'] );
		assert_same( array_keys( vectors( 'answers' )['mark-paid'] ), array_keys( $response->data ) );
		assert_same( 'recorded', $response->data['outcome'] );
		assert_same( 1, stored_order()['completed'] );
	}
);

test(
	'A call with a wrong signature, store or purpose is refused and changes nothing',
	static function (): void {
		place_order();
		$body = json_encode( mark_paid_request() );
		$invalid  = array(
			signed_request( 'mark-paid', $body, array( 'secret' => str_repeat( 'x', 40 ) ) ),
			signed_request( 'mark-paid', $body, array( 'store' => 'other' ) ),
			signed_request( 'ping', $body ),
			new WP_REST_Request( $body ),
		);
		foreach ( $invalid as $request ) {
			$response = tillkit_answer_request( 'mark-paid', $request );
			assert_same( 401, $response->status );
			assert_same( 'tillkit_signature_invalid', $response->data['code'] );
			assert_same( array( 'status' => 401 ), $response->data['data'] );
		}
		assert_same( 0, stored_order()['completed'] );
	}
);

test(
	'A call signed with the previous secret is accepted until the owner removes that secret',
	static function (): void {
		$request = signed_request( 'ping', '{}', array( 'secret' => PREVIOUS ) );
		assert_same( 200, tillkit_answer_request( 'ping', $request )->status );
		tillkit_change_link_secret( '', true );
		assert_same( 401, tillkit_answer_request( 'ping', $request )->status );
	}
);

test(
	'A correctly signed call with a wrong time receives the time of the shop',
	static function (): void {
		$response = tillkit_answer_request( 'ping', signed_request( 'ping', '{}', array( 'time' => time() - 960 ) ) );
		assert_same( 401, $response->status );
		assert_same( array_keys( vectors( 'answers' )['error'] ), array_keys( $response->data ) );
		assert_same( 'tillkit_clock_differs', $response->data['code'] );
		assert_true( abs( $response->data['data']['now'] - time() ) < 5, 'the time is the shop\'s;' );
	}
);

test(
	'A body that is too large or not a JSON object is refused',
	static function (): void {
		assert_same( 413, tillkit_answer_request( 'ping', signed_request( 'ping', str_repeat( ' ', 65537 ) ) )->status );
		foreach ( array( '', '[]', 'null', '{"order":', '"{}"' ) as $body ) {
			assert_same( 'tillkit_bad_request', tillkit_answer_request( 'ping', signed_request( 'ping', $body ) )->data['code'], $body );
		}
	}
);

test(
	'Ping returns settings of the shop and no secret',
	static function (): void {
		Stubs::$decimals = 0;
		$ping            = tillkit_answer_request( 'ping', signed_request( 'ping', '{}' ) )->data;
		assert_same( array_keys( vectors( 'answers' )['ping'] ), array_keys( $ping ) );
		assert_same( array( 'XOF', 0, true, 'https://pay.example' ), array( $ping['currency'], $ping['decimals'], $ping['enabled'], $ping['checkout_server'] ) );
		assert_same( 'WooCommerce 10.0.2, WordPress 6.8', $ping['platform'] );
		assert_not_contains( SECRET, json_encode( $ping ) );
	}
);

test(
	'A shop without a link secret refuses every call',
	static function (): void {
		update_option( 'tillkit_link_secrets', array( 'current' => '', 'previous' => '' ) );
		assert_same( 401, tillkit_answer_request( 'ping', signed_request( 'ping', '{}', array( 'secret' => '' ) ) )->status );
	}
);

<?php
test(
	'The companion finds its routes below tillkit/v1',
	static function (): void {
		do_action( 'rest_api_init' );
		same( array( 'tillkit/v1/settle', 'tillkit/v1/hold', 'tillkit/v1/ping', 'tillkit/v1/wait' ), array_keys( $GLOBALS['routes'] ) );
		foreach ( $GLOBALS['routes'] as $route ) {
			same( 'POST', $route['methods'] );
		}
	}
);

test(
	'A signed settle call pays the order and is answered as agreed, never from a cache',
	static function (): void {
		place_order();
		$response = tillkit_answer_settle( signed_request( 'settle', json_encode( settle_wish() ) ) );
		same( 200, $response->status );
		same( 'no-store', $response->headers['Cache-Control'] );
		same( array_keys( vectors( 'answers' )['settle'] ), array_keys( $response->data ) );
		same( 'recorded', $response->data['outcome'] );
		same( 1, stored_order()['completed'] );
	}
);

test(
	'A call that is forged, of another store or another purpose changes nothing and reads why',
	static function (): void {
		place_order();
		$body = json_encode( settle_wish() );
		$odd  = array(
			signed_request( 'settle', $body, array( 'secret' => str_repeat( 'x', 40 ) ) ),
			signed_request( 'settle', $body, array( 'store' => 'other' ) ),
			signed_request( 'ping', $body ),
			new WP_REST_Request( $body ),
		);
		foreach ( $odd as $request ) {
			$response = tillkit_answer_settle( $request );
			same( 401, $response->status );
			same( 'tillkit_signature_invalid', $response->data['code'] );
			same( array( 'status' => 401 ), $response->data['data'] );
		}
		same( 0, stored_order()['completed'] );
	}
);

test(
	'A call signed with the previous secret counts, until the owner forgets it',
	static function (): void {
		$request = signed_request( 'ping', '{}', array( 'secret' => PREVIOUS ) );
		same( 200, tillkit_answer_ping( $request )->status );
		tillkit_change_link_secret( '', true );
		same( 401, tillkit_answer_ping( $request )->status );
	}
);

test(
	'Who knows the secret is told the time of the shop when the clocks differ',
	static function (): void {
		$response = tillkit_answer_ping( signed_request( 'ping', '{}', array( 'time' => time() - 960 ) ) );
		same( 401, $response->status );
		same( array_keys( vectors( 'answers' )['error'] ), array_keys( $response->data ) );
		same( 'tillkit_clock_differs', $response->data['code'] );
		holds( abs( $response->data['data']['now'] - time() ) < 5, 'the time is the shop\'s;' );
	}
);

test(
	'A body that is too large, no JSON or a list is refused',
	static function (): void {
		same( 413, tillkit_answer_ping( signed_request( 'ping', str_repeat( ' ', 65537 ) ) )->status );
		foreach ( array( '', '[]', 'null', '{"order":', '"{}"' ) as $body ) {
			same( 'tillkit_bad_request', tillkit_answer_ping( signed_request( 'ping', $body ) )->data['code'], $body );
		}
	}
);

test(
	'Ping tells what only the inside of the shop knows, and no secret',
	static function (): void {
		Stubs::$decimals = 0;
		$ping            = tillkit_answer_ping( signed_request( 'ping', '{}' ) )->data;
		same( array_keys( vectors( 'answers' )['ping'] ), array_keys( $ping ) );
		same( array( 'XOF', 0, true, true, true, 'https://pay.example' ), array( $ping['currency'], $ping['decimals'], $ping['gateway'], $ping['hpos'], $ping['permalinks'], $ping['companion'] ) );
		says_not( SECRET, json_encode( $ping ) );
	}
);

test(
	'A shop that is not set up answers nobody',
	static function (): void {
		update_option( 'tillkit_link_secrets', array( 'current' => '', 'previous' => '' ) );
		same( 401, tillkit_answer_ping( signed_request( 'ping', '{}', array( 'secret' => '' ) ) )->status );
	}
);

<?php
/** The companion takes every refund, and tells it under the key it was asked with. */
function companion_refunds( string $state = 'completed' ): void {
	Stubs::$companion = static function ( string $url, array $options ) use ( $state ): array {
		$asked  = json_decode( $options['body'], true );
		$answer = array( 'refund_key' => $asked['refund_key'], 'state' => $state ) + vectors( 'answers' )['refund'];
		return array( 'status' => 200, 'body' => json_encode( $answer ) );
	};
}

function asked_keys(): array {
	return array_map(
		static function ( array $call ): string {
			return json_decode( $call['body'], true )['refund_key'];
		},
		Stubs::$calls
	);
}

function press_refund( string $amount, string $reason = '' ) {
	return ( new Tillkit_Gateway() )->process_refund( 1042, $amount, $reason );
}

test(
	'A refund is asked for with a signed call that names no reason',
	static function (): void {
		companion_refunds();
		place_order();
		same( true, press_refund( '1500', 'Awa called, size too small' ) );
		$call = Stubs::$calls[0];
		same( 'https://pay.example/woo/refunds', $call['url'] );
		same( array( 30, 0, 1048576 ), array( $call['timeout'], $call['redirection'], $call['limit_response_size'] ) );
		$asked = json_decode( $call['body'], true );
		same( array( '1042', 'wc_order_AbC123xyZ', '1500.00', 'XOF', 'en' ), array( $asked['order'], $asked['key'], $asked['amount'], $asked['currency'], $asked['language'] ) );
		same( 1, preg_match( '/^[A-Za-z0-9_-]{8,64}$/', $asked['refund_key'] ) );
		says_not( 'Awa', $call['body'] );
		$headers = array( 'store' => $call['headers']['X-Tillkit-Store'], 'time' => $call['headers']['X-Tillkit-Time'], 'signature' => $call['headers']['X-Tillkit-Signature'] );
		same( 'valid', tillkit_read_call( 'refund', $headers, $call['body'], array( SECRET ), time() ) );
		same( array( 'Tillkit gave back 1 500 F CFA.' ), array_map( 'plain', stored_order()['notes'] ) );
	}
);

test(
	'A refund that is still under way is recorded, and the note says so',
	static function (): void {
		companion_refunds( 'pending' );
		place_order();
		same( true, press_refund( '1500' ) );
		says( 'is giving back', stored_order()['notes'][0] );
	}
);

test(
	'Two refunds of the same amount, one after the other, are two',
	static function (): void {
		companion_refunds();
		place_order();
		press_refund( '1500' );
		press_refund( '1500' );
		same( 2, count( array_unique( asked_keys() ) ) );
	}
);

test(
	'A click after a lost answer uses the key of the first: never a second refund',
	static function (): void {
		place_order();
		$first = press_refund( '1500' );
		says( 'Click refund again', $first->get_error_message() );
		companion_refuses( 503, 'unavailable', 'The service does not answer.' );
		says( 'The service does not answer. Nothing is recorded yet.', press_refund( '1500' )->get_error_message() );
		companion_answers( 200, '<html>Just a moment</html>' );
		press_refund( '1500' );
		companion_answers( 200, array( 'refund_key' => 'of somebody else', 'state' => 'completed' ) );
		press_refund( '1500' );
		companion_refuses( 401, 'signature_invalid' );
		press_refund( '1500' );
		companion_refunds();
		same( true, press_refund( '1500' ) );
		same( 6, count( Stubs::$calls ) );
		same( 1, count( array_unique( asked_keys() ) ) );
		same( array(), stored_order()['meta'] );
	}
);

test(
	'The key is kept before the first call, so that a crash during it loses nothing',
	static function (): void {
		place_order();
		Stubs::$companion = static function ( string $url, array $options ): void {
			$kept = json_decode( stored_order()['meta']['_tillkit_refund_doubt'], true );
			same( array( 'key' => json_decode( $options['body'], true )['refund_key'], 'amount' => '1500.00' ), $kept );
		};
		press_refund( '1500' );
		same( 1, count( Stubs::$calls ) );
	}
);

test(
	'Another amount waits until the doubtful one is known',
	static function (): void {
		place_order();
		press_refund( '1500' );
		says( '1500.00', press_refund( '200' )->get_error_message() );
		same( 1, count( Stubs::$calls ) );
	}
);

foreach ( array( 400 => 'bad_request', 409 => 'refund_refused', 422 => 'amount_invalid' ) as $status => $code ) {
	test(
		"After a refusal with $status nothing is in doubt, and the owner reads why",
		static function () use ( $status, $code ): void {
			place_order();
			companion_refuses( $status, $code, 'More than what is left cannot be given back.' );
			same( 'More than what is left cannot be given back.', press_refund( '9000' )->get_error_message() );
			same( array(), stored_order()['meta'] );
			companion_refunds();
			same( true, press_refund( '100' ) );
		}
	);
}

test(
	'A refund in a second tab waits for the first',
	static function (): void {
		place_order();
		Stubs::$companion = static function (): void {
			$second = $GLOBALS['wpdb'];
			$GLOBALS['wpdb'] = new Stub_Database();
			says( 'is being made just now', press_refund( '1500' )->get_error_message() );
			$GLOBALS['wpdb'] = $second;
		};
		press_refund( '1500' );
		same( 1, count( Stubs::$calls ) );
	}
);

test(
	'An amount that is missing, nothing or negative is not sent',
	static function (): void {
		place_order();
		foreach ( array( null, '', '0', '-5' ) as $amount ) {
			holds( is_wp_error( ( new Tillkit_Gateway() )->process_refund( 1042, $amount ) ), var_export( $amount, true ) );
		}
		holds( is_wp_error( ( new Tillkit_Gateway() )->process_refund( 7, '5' ) ), 'an order that is not there;' );
		same( array(), Stubs::$calls );
	}
);

test(
	'The refund names the payment that the order shows, and none where it shows none',
	static function (): void {
		companion_refunds();
		place_order( array( 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) );
		press_refund( '1500' );
		place_order();
		press_refund( '1500' );
		same( array( 'payment-a', null ), array( json_decode( Stubs::$calls[0]['body'], true )['payment'] ?? null, json_decode( Stubs::$calls[1]['body'], true )['payment'] ?? null ) );
	}
);

test(
	'Only an order that was paid here can be refunded here',
	static function (): void {
		$gateway = new Tillkit_Gateway();
		same( false, $gateway->can_refund_order( place_order() ) );
		same( true, $gateway->can_refund_order( place_order( array( 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) ) ) );
	}
);

test(
	'A shop whose clock is 16 minutes off asks again once, with the companion\'s time',
	static function (): void {
		place_order();
		$now              = time() + 960;
		Stubs::$companion = static function ( string $url, array $options ) use ( $now ): array {
			if ( (string) $now !== $options['headers']['X-Tillkit-Time'] ) {
				return array( 'status' => 401, 'body' => json_encode( array( 'code' => 'tillkit_clock_differs', 'message' => 'Clocks differ.', 'data' => array( 'status' => 401, 'now' => $now ) ) ) );
			}
			$answer = array( 'refund_key' => json_decode( $options['body'], true )['refund_key'] ) + vectors( 'answers' )['refund'];
			return array( 'status' => 200, 'body' => json_encode( $answer ) );
		};
		same( true, press_refund( '1500' ) );
		same( 2, count( Stubs::$calls ) );
	}
);

test(
	'A companion that never likes the time is asked twice, not for ever',
	static function (): void {
		place_order();
		companion_refuses( 401, 'clock_differs', 'Clocks differ.', array( 'now' => time() + 960 ) );
		says( 'Clocks differ.', press_refund( '1500' )->get_error_message() );
		same( 2, count( Stubs::$calls ) );
	}
);

test(
	'Whatever stands in the companion\'s place, its answer is taken for none',
	static function (): void {
		$odd = array( array( 200, '[]' ), array( 200, '' ), array( 200, '"ok"' ), array( 502, '<h1>Bad gateway</h1>' ), array( 301, '' ), array( 403, '{"code":"blocked_by_waf","message":"<b>no</b>"}' ), array( 500, '{"error":"x"}' ) );
		foreach ( $odd as list( $status, $body ) ) {
			companion_answers( $status, $body );
			same( 'tillkit_no_answer', tillkit_ask( 'health', array() )->get_error_code(), "$status $body" );
		}
	}
);

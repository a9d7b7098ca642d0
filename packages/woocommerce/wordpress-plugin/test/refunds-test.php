<?php
/** A refund that the owner starts in WooCommerce: the signed call to the checkout server, and what its answers do to the order. */

/** Makes the checkout server confirm every refund with the key of the request. */
function checkout_server_confirms_refunds( string $state = 'completed' ): void {
	Stubs::$checkout_server = static function ( string $url, array $options ) use ( $state ): array {
		$body  = json_decode( $options['body'], true );
		$answer = array( 'refund_key' => $body['refund_key'], 'state' => $state ) + vectors( 'answers' )['refund'];
		return array( 'status' => 200, 'body' => json_encode( $answer ) );
	};
}

function sent_refund_keys(): array {
	return array_map(
		static function ( array $call ): string {
			return json_decode( $call['body'], true )['refund_key'];
		},
		Stubs::$calls
	);
}

function request_refund( string $amount, string $reason = '' ) {
	return ( new Tillkit_Gateway() )->process_refund( 1042, $amount, $reason );
}

test(
	'A refund is requested with a signed call without the reason',
	static function (): void {
		checkout_server_confirms_refunds();
		place_order();
		assert_same( true, request_refund( '1500', 'Awa called, size too small' ) );
		$call = Stubs::$calls[0];
		assert_same( 'https://pay.example/bridge/v1/refund', $call['url'] );
		assert_same( array( 30, 0, 1048576 ), array( $call['timeout'], $call['redirection'], $call['limit_response_size'] ) );
		$body = json_decode( $call['body'], true );
		assert_same( array( '1042', 'wc_order_AbC123xyZ', '1500.00', 'XOF', 'en' ), array( $body['order'], $body['key'], $body['amount'], $body['currency'], $body['language'] ) );
		assert_same( 1, preg_match( '/^[A-Za-z0-9_-]{8,64}$/', $body['refund_key'] ) );
		assert_not_contains( 'Awa', $call['body'] );
		$headers = array( 'store' => $call['headers']['X-Tillkit-Store'], 'time' => $call['headers']['X-Tillkit-Time'], 'signature' => $call['headers']['X-Tillkit-Signature'] );
		assert_same( 'valid', tillkit_verify_call( 'refund', $headers, $call['body'], array( SECRET ), time() ) );
		assert_same( array( 'Tillkit refunded 1 500 F CFA.' ), array_map( 'plain', stored_order()['notes'] ) );
	}
);

/** As WooCommerce's order screen does it: the refund is saved before the gateway is asked. */
function click_refund( string $amount ) {
	return wc_create_refund( array( 'order_id' => 1042, 'amount' => $amount, 'reason' => '', 'refund_payment' => true, 'restock_items' => false ) );
}

function sent_lists(): array {
	return array_map(
		static function ( array $call ): ?array {
			return json_decode( $call['body'], true )['shown'] ?? null;
		},
		Stubs::$calls
	);
}

function names_and_amounts( array $shown ): array {
	return array_map(
		static function ( array $refund ): array {
			return array( $refund['refund'], $refund['refund_key'], $refund['amount'] );
		},
		$shown['refunds']
	);
}

test(
	'A refund call lists the refunds that the order shows, without the one that is requested',
	static function (): void {
		checkout_server_confirms_refunds();
		place_paid_order( array( 'refunds' => array( array( 'amount' => '5', 'meta' => array(), 'created' => time() - 60 ) ) ) );
		record_refund( array( 'amount' => '100.00' ) );
		click_refund( '1500' );
		click_refund( '200' );
		list( $first, $second ) = sent_lists();
		$example = vectors( 'calls' )['refundShown'];
		assert_same( array( array_keys( $example ), array_keys( $example['refunds'][0] ) ), array( array_keys( $first ), array_keys( $first['refunds'][0] ) ) );
		assert_same( '5000.00', $first['total'] );
		assert_same( array( array( '', '', '5.00' ), array( 'rf_01', '', '100.00' ) ), names_and_amounts( $first ) );
		assert_same( array( array( '', '', '5.00' ), array( 'rf_01', '', '100.00' ), array( vectors( 'answers' )['refund']['refund'], sent_refund_keys()[0], '1500.00' ) ), names_and_amounts( $second ) );
		assert_true( $first['refunds'][0]['age'] >= 60 && $first['refunds'][1]['age'] < 60, 'ages in seconds;' );
	}
);

test(
	'A refund whose request dies is known by its key, and one that is refused leaves nothing',
	static function (): void {
		place_order();
		Stubs::$checkout_server = static function ( string $url, array $options ): void {
			assert_same( json_decode( $options['body'], true )['refund_key'], stored_order()['refunds'][0]['meta']['_tillkit_refund_key'] );
		};
		assert_true( is_wp_error( click_refund( '1500' ) ), 'a refund without an answer;' );
		assert_same( array(), stored_order()['refunds'] );
	}
);

test(
	'A refund that the owner asked for is not recorded again by a checkout server that has forgotten it',
	static function (): void {
		checkout_server_confirms_refunds();
		place_paid_order();
		click_refund( '1500' );
		$id = vectors( 'answers' )['refund']['refund'];
		assert_same( 'already', record_refund( array( 'refund' => $id, 'refund_key' => "service:$id" ) )->data['outcome'] );
		assert_same( 1, count( recorded_refunds() ) );
	}
);

test(
	'A list of more refunds than the checkout server reads is left out',
	static function (): void {
		checkout_server_confirms_refunds();
		place_order( array( 'refunds' => array_fill( 0, 201, array( 'amount' => '1', 'meta' => array() ) ) ) );
		request_refund( '1500' );
		assert_same( array( null ), sent_lists() );
	}
);

test(
	'A pending refund is recorded with a note that the refund is in progress',
	static function (): void {
		checkout_server_confirms_refunds( 'pending' );
		place_order();
		assert_same( true, request_refund( '1500' ) );
		assert_contains( 'is refunding', stored_order()['notes'][0] );
	}
);

test(
	'Two sequential refunds of the same amount have different keys',
	static function (): void {
		checkout_server_confirms_refunds();
		place_order();
		request_refund( '1500' );
		request_refund( '1500' );
		assert_same( 2, count( array_unique( sent_refund_keys() ) ) );
	}
);

test(
	'A click after a lost answer reuses the key, so no second refund is made',
	static function (): void {
		place_order();
		$first = request_refund( '1500' );
		assert_contains( 'Click refund again', $first->get_error_message() );
		checkout_server_refuses( 503, 'unavailable', 'The service does not answer.' );
		assert_contains( 'The service does not answer. The refund is not confirmed.', request_refund( '1500' )->get_error_message() );
		checkout_server_answers( 200, '<html>Just a moment</html>' );
		request_refund( '1500' );
		checkout_server_answers( 200, array( 'refund_key' => 'another-key', 'state' => 'completed' ) );
		request_refund( '1500' );
		checkout_server_refuses( 401, 'signature_invalid' );
		request_refund( '1500' );
		checkout_server_confirms_refunds();
		assert_same( true, request_refund( '1500' ) );
		assert_same( 6, count( Stubs::$calls ) );
		assert_same( 1, count( array_unique( sent_refund_keys() ) ) );
		assert_same( array(), stored_order()['meta'] );
	}
);

test(
	'The refund key is stored before the first call',
	static function (): void {
		place_order();
		Stubs::$checkout_server = static function ( string $url, array $options ): void {
			$stored = json_decode( stored_order()['meta']['_tillkit_unconfirmed_refund'], true );
			assert_same( array( 'key' => json_decode( $options['body'], true )['refund_key'], 'amount' => '1500.00', 'order' => '1042' ), $stored );
		};
		request_refund( '1500' );
		assert_same( 1, count( Stubs::$calls ) );
	}
);

test(
	'A refund of another amount is refused while a refund is unconfirmed',
	static function (): void {
		place_order();
		request_refund( '1500' );
		assert_contains( '1 500,00 XOF', request_refund( '200' )->get_error_message() );
		assert_same( 1, count( Stubs::$calls ) );
	}
);

foreach ( array( 400 => 'bad_request', 409 => 'refund_refused', 422 => 'amount_invalid' ) as $status => $code ) {
	test(
		"A refund refused with $status is no longer unconfirmed, and the owner sees the reason",
		static function () use ( $status, $code ): void {
			place_order();
			checkout_server_refuses( $status, $code, 'The refund is larger than the remaining amount.' );
			assert_same( 'The refund is larger than the remaining amount.', request_refund( '9000' )->get_error_message() );
			assert_same( array(), stored_order()['meta'] );
			checkout_server_confirms_refunds();
			assert_same( true, request_refund( '100' ) );
		}
	);
}

test(
	'A refund of an order that the checkout server does not know blocks no other amount',
	static function (): void {
		place_order();
		checkout_server_refuses( 404, 'order_not_known', 'The checkout server has no payment for this order.' );
		assert_same( 'The checkout server has no payment for this order.', request_refund( '1500' )->get_error_message() );
		assert_same( array(), stored_order()['meta'] );
		checkout_server_confirms_refunds();
		assert_same( true, request_refund( '200' ) );
	}
);

test(
	'A refund that may have been made stays unconfirmed when the checkout server no longer knows its order, until the owner has looked',
	static function (): void {
		place_order();
		request_refund( '1500' );
		checkout_server_refuses( 404, 'order_not_known', 'The checkout server has no payment for this order.' );
		assert_contains( 'An earlier click may have refunded the money.', request_refund( '1500' )->get_error_message() );
		checkout_server_confirms_refunds();
		assert_contains( 'An earlier refund of 1 500,00 XOF is not confirmed.', request_refund( '200' )->get_error_message() );
		$box = order_box_html( 'shop_order', new WP_Post( 1042 ) );
		assert_contains( 'See in the payment service’s dashboard whether the money went back.', $box );
		assert_contains( 'data-tillkit-purpose="refund-made"', $box );
		assert_contains( 'data-tillkit-purpose="refund-not-made"', $box );
		Stubs::$is_admin = true;
		assert_same( true, request_order_box( array( 'purpose' => 'refund-not-made' ) )->body['reload'] );
		assert_same( array(), stored_order()['meta'] );
		assert_contains( 'The refund of 1 500,00 XOF was not made, says', plain( stored_order()['notes'][0] ) );
		assert_same( true, request_refund( '200' ) );
		assert_same( 2, count( array_unique( sent_refund_keys() ) ) );
	}
);

test(
	'An unconfirmed refund that the next click can confirm is never forgotten',
	static function (): void {
		place_order();
		request_refund( '1500' );
		assert_not_contains( 'refund-not-made', order_box_html( 'shop_order', new WP_Post( 1042 ) ) );
		request_order_box( array( 'purpose' => 'refund-not-made' ) );
		checkout_server_answers( 404, '<h1>Not found</h1>' );
		assert_contains( 'Click refund again', request_refund( '1500' )->get_error_message() );
		checkout_server_confirms_refunds();
		assert_same( true, request_refund( '1500' ) );
		assert_same( 1, count( array_unique( sent_refund_keys() ) ) );
	}
);

test(
	'A child order with the copied meta of its parent has no unconfirmed refund of its own',
	static function (): void {
		place_order();
		request_refund( '1500' );
		$copied = array( '_tillkit_unconfirmed_refund' => stored_order()['meta']['_tillkit_unconfirmed_refund'] );
		assert_same( null, tillkit_unconfirmed_refund( tillkit_order( place_order( array( 'id' => 1043, 'meta' => $copied ) ) ) ) );
	}
);

test(
	'A refund in a second tab is refused while the first is in progress',
	static function (): void {
		place_order();
		Stubs::$checkout_server = static function (): void {
			$first_connection = $GLOBALS['wpdb'];
			$GLOBALS['wpdb'] = new Stub_Database();
			assert_contains( 'Another refund of this order is in progress', request_refund( '1500' )->get_error_message() );
			$GLOBALS['wpdb'] = $first_connection;
		};
		request_refund( '1500' );
		assert_same( 1, count( Stubs::$calls ) );
	}
);

test(
	'A refund with a missing, zero or negative amount is not sent',
	static function (): void {
		place_order();
		foreach ( array( null, '', '0', '-5' ) as $amount ) {
			assert_true( is_wp_error( ( new Tillkit_Gateway() )->process_refund( 1042, $amount ) ), var_export( $amount, true ) );
		}
		assert_true( is_wp_error( ( new Tillkit_Gateway() )->process_refund( 7, '5' ) ), 'a missing order;' );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'A refund call contains the payment id of the order if the order shows one',
	static function (): void {
		checkout_server_confirms_refunds();
		place_order( array( 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) );
		request_refund( '1500' );
		place_order();
		request_refund( '1500' );
		assert_same( array( 'payment-a', null ), array( json_decode( Stubs::$calls[0]['body'], true )['payment'] ?? null, json_decode( Stubs::$calls[1]['body'], true )['payment'] ?? null ) );
	}
);

test(
	'Only an order with a payment of this plugin can be refunded through its payment method',
	static function (): void {
		$gateway = new Tillkit_Gateway();
		assert_same( false, $gateway->can_refund_order( place_order() ) );
		assert_same( true, $gateway->can_refund_order( place_order( array( 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) ) ) );
	}
);

test(
	'A shop with a clock 16 minutes off repeats the call once with the checkout server\'s time',
	static function (): void {
		place_order();
		$now              = time() + 960;
		Stubs::$checkout_server = static function ( string $url, array $options ) use ( $now ): array {
			if ( (string) $now !== $options['headers']['X-Tillkit-Time'] ) {
				return array( 'status' => 401, 'body' => json_encode( array( 'code' => 'tillkit_clock_differs', 'message' => 'Clocks differ.', 'data' => array( 'status' => 401, 'now' => $now ) ) ) );
			}
			$answer = array( 'refund_key' => json_decode( $options['body'], true )['refund_key'] ) + vectors( 'answers' )['refund'];
			return array( 'status' => 200, 'body' => json_encode( $answer ) );
		};
		assert_same( true, request_refund( '1500' ) );
		assert_same( 2, count( Stubs::$calls ) );
	}
);

test(
	'A call is repeated only once if the checkout server keeps rejecting the time',
	static function (): void {
		place_order();
		checkout_server_refuses( 401, 'clock_differs', 'Clocks differ.', array( 'now' => time() + 960 ) );
		assert_contains( 'Clocks differ.', request_refund( '1500' )->get_error_message() );
		assert_same( 2, count( Stubs::$calls ) );
	}
);

test(
	'An answer that is not the checkout server\'s is treated as no answer',
	static function (): void {
		$invalid = array( array( 200, '[]' ), array( 200, '' ), array( 200, '"ok"' ), array( 502, '<h1>Bad gateway</h1>' ), array( 301, '' ), array( 403, '{"code":"blocked_by_waf","message":"<b>no</b>"}' ), array( 500, '{"error":"x"}' ) );
		foreach ( $invalid as list( $status, $body ) ) {
			checkout_server_answers( $status, $body );
			assert_same( 'tillkit_no_answer', tillkit_call_checkout_server( 'health', array() )->code, "$status $body" );
		}
	}
);

/** An answer of the checkout server about an order with a refund whose result nobody knows. */
function doubtful_refund_answer(): array {
	$money  = array( 'minor' => 1500, 'currency' => 'XOF', 'text' => '1 500 F CFA' );
	$refund = array( 'payment' => 'payment-a', 'refund_key' => 'key-0001', 'refund' => null, 'state' => 'unknown', 'origin' => 'shop', 'amount' => $money );
	return array(
		'headline'  => 'The order is paid.',
		'attention' => true,
		'reasons'   => array(),
		'payments'  => array( array( 'payment' => 'payment-a', 'state' => 'recorded', 'amount' => $money, 'seen' => str_repeat( 'b', 32 ), 'lost' => null, 'sums' => '5 000 F CFA received, 1 500 F CFA being refunded: 3 500 F CFA can be refunded.' ) ),
		'refunds'   => array( $refund + array( 'doubt' => 'The payment service does not show plainly whether it made the refund of 1 500 F CFA.' ) ),
		'timeline'  => array(),
	);
}

test(
	'A refund in doubt asks the owner what the dashboard shows, and the checkout server learns the answer and who gave it',
	static function (): void {
		Stubs::$is_admin = true;
		place_order( array( 'meta' => array( '_tillkit_payment_id' => 'payment-a', '_tillkit_unconfirmed_refund' => json_encode( array( 'key' => 'key-0001', 'amount' => '1500.00', 'order' => '1042' ) ) ) ) );
		checkout_server_answers( 200, doubtful_refund_answer() );
		$html = request_order_box()->body['html'];
		assert_contains( 'does not show plainly whether it made the refund', $html );
		assert_contains( 'data-tillkit-purpose="refund-made">was made</button>', $html );
		assert_contains( 'data-tillkit-purpose="refund-not-made">was not made</button>', $html );
		assert_contains( '3 500 F CFA can be refunded.', $html );
		$fields = array( 'purpose' => 'refund-not-made', 'payment' => 'payment-a', 'seen' => str_repeat( 'b', 32 ), 'refund_key' => 'key-0001' );
		assert_same( true, request_order_box( $fields )->body['reload'] );
		$body = json_decode( Stubs::$calls[1]['body'], true );
		assert_same( array( 'refund-outcome', 'no', 'key-0001' ), array( $body['decision'], $body['made'], $body['refund_key'] ) );
		assert_same( 1, preg_match( '/^[\w-]+ #\d+$/', $body['by'] ) );
		assert_same( '', (string) ( stored_order()['meta']['_tillkit_unconfirmed_refund'] ?? '' ) );
	}
);

test(
	'A user who may not edit orders cannot say how a refund ended',
	static function (): void {
		place_order();
		Stubs::$capabilities = array();
		checkout_server_answers( 200, doubtful_refund_answer() );
		assert_same( 403, request_order_box( array( 'purpose' => 'refund-made', 'payment' => 'payment-a' ) )->status );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'A refund over a dispute is refused with the sums and the link of the checkout server, and the next refund is a new one',
	static function (): void {
		place_order();
		$text = '32 500 F CFA arrived, 26 000 F CFA is disputed, so 1 500 F CFA is left. A person may confirm a refund of more: https://pay.example/operators/payments/payment-a';
		checkout_server_refuses( 409, 'refund_refused', $text );
		assert_same( $text, request_refund( '5000' )->get_error_message() );
		assert_same( array(), stored_order()['meta'] );
	}
);

test(
	'An order whose payment a dispute took back tells the owner, tells no shopper that it was paid, and takes another payment once it is reopened',
	static function (): void {
		$meta = array( '_tillkit_payment_id' => 'payment-a', '_tillkit_lost_payment' => 'payment-a', '_tillkit_attention' => 'lost_to_dispute' );
		place_order( array( 'date_paid' => 1764000000, 'status' => 'processing', 'meta' => $meta ) );
		assert_contains( 'A dispute took the money of this order back.', order_box_html( 'shop_order', new WP_Post( 1042 ) ) );
		assert_same( 'refunded', tillkit_shopper_status_from_order( wc_get_order( 1042 ) ) );
		assert_same( 'payment-a', tillkit_paid_by( wc_get_order( 1042 ) ) );
		place_order( array( 'date_paid' => 1764000000, 'status' => 'pending', 'meta' => $meta ) );
		assert_same( null, tillkit_paid_by( wc_get_order( 1042 ) ) );
		assert_same( 'refunded', tillkit_shopper_status( array( array( 'state' => 'recorded', 'lost' => 'A dispute took it.' ) ) ) );
	}
);

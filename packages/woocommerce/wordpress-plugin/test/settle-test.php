<?php
foreach ( vectors( 'settle' )['cases'] as $case ) {
	test(
		"Settle: {$case['title']}",
		static function () use ( $case ): void {
			$now = vectors( 'settle' )['now'];
			if ( null !== $case['order'] ) {
				$paid = $case['order']['paid'];
				unset( $case['order']['paid'] );
				place_order( array( 'date_paid' => $paid ? $now - 100 : null ) + $case['order'] );
			}
			$wish   = tillkit_read_wish( $case['request'] );
			$answer = null === $wish ? tillkit_bad_request() : tillkit_settle( $wish, $now );
			if ( isset( $case['answer']['code'] ) ) {
				same( true, $answer instanceof WP_Error, 'refused' );
				same( $case['answer']['code'], $answer->get_error_code() );
				same( $case['answer']['status'], $answer->get_error_data()['status'] );
			} else {
				same( $case['answer']['outcome'], $answer['outcome'] );
				same( $case['answer']['order_status'], $answer['status'] );
				same( $case['answer']['paid'], is_int( $answer['date_paid'] ) );
				same( $case['answer']['paid_by'], $answer['paid_by'] );
				foreach ( array( 'order', 'payment', 'fence' ) as $field ) {
					same( $case['request'][ $field ], $answer[ $field ], $field );
				}
			}
			if ( null !== $case['order'] ) {
				same( $case['effects'], stored_order()['completed'], 'effects' );
			}
		}
	);
}

test(
	'A paid order shows which payment paid it, by which method, and one note',
	static function (): void {
		place_order( array( 'payment_method' => 'bacs', 'status' => 'on-hold' ) );
		tillkit_settle( tillkit_read_wish( settle_wish() ), 1764000000 );
		$order = stored_order();
		same( 'tillkit', $order['payment_method'] );
		same( 'Mobile money', $order['title'] );
		same( 'tx_01', $order['transaction'] );
		same( '4b0e9a52-6a0e-4f6e-9d6b-0c8f4f0f9b11', $order['meta']['_tillkit_payment_id'] );
		same( '3 1764000000', $order['meta']['_tillkit_fence'] );
		same( array( 'Paid with Tillkit. Payment 4b0e9a52-6a0e-4f6e-9d6b-0c8f4f0f9b11, transaction tx_01.' ), $order['notes'] );
	}
);

test(
	'The order is read past every cache, before and after',
	static function (): void {
		place_order();
		tillkit_settle( tillkit_read_wish( settle_wish() ), 1764000000 );
		$each = array( 'post:1042', 'orders:meta-1042', 'order-cache:1042', 'tables:1042' );
		same( array_merge( $each, $each ), Stubs::$cleared );
	}
);

test(
	'A shop whose WooCommerce does not complete the order says so',
	static function (): void {
		Stubs::$complete_works = false;
		place_order();
		$answer = tillkit_settle( tillkit_read_wish( settle_wish() ), 1764000000 );
		same( 'tillkit_not_recorded', $answer->get_error_code() );
		same( 500, $answer->get_error_data()['status'] );
		same( array(), stored_order()['notes'] );
	}
);

test(
	'A refund that bears the number of an order is no order',
	static function (): void {
		place_order( array( 'status' => 'refund' ) );
		same( 'gone', tillkit_settle( tillkit_read_wish( settle_wish() ), 1764000000 )['outcome'] );
	}
);

test(
	'The amount is the one that the REST API tells, in the decimals of the shop',
	static function (): void {
		Stubs::$decimals = 0;
		place_order( array( 'total' => '5000.00' ) );
		same( 'not-payable', tillkit_settle( tillkit_read_wish( settle_wish() ), 1764000000 )['outcome'] );
		same( 'recorded', tillkit_settle( tillkit_read_wish( settle_wish( array( 'amount' => '5000' ) ) ), 1764000000 )['outcome'] );
	}
);

<?php
/** The plugin marks an order paid once. The vectors are the same cases that the checkout server's own tests follow. */

foreach ( vectors( 'mark-paid' )['cases'] as $case ) {
	test(
		"The plugin follows the mark-paid vector: {$case['title']}",
		static function () use ( $case ): void {
			$now = vectors( 'mark-paid' )['now'];
			if ( null !== $case['order'] ) {
				$paid = $case['order']['paid'];
				unset( $case['order']['paid'] );
				place_order( array( 'date_paid' => $paid ? $now - 100 : null ) + $case['order'] );
			}
			$request   = tillkit_read_order_fields( 'mark-paid', $case['request'] );
			$answer = null === $request ? tillkit_bad_request() : tillkit_mark_paid( $request, $now );
			if ( isset( $case['answer']['code'] ) ) {
				assert_same( true, $answer instanceof Tillkit_Error, 'refused' );
				assert_same( $case['answer']['code'], $answer->code );
				assert_same( $case['answer']['status'], $answer->status );
			} else {
				assert_same( $case['answer']['outcome'], $answer['outcome'] );
				assert_same( $case['answer']['order_status'], $answer['status'] );
				assert_same( $case['answer']['paid'], is_int( $answer['date_paid'] ) );
				assert_same( $case['answer']['paid_by'], $answer['paid_by'] );
				foreach ( array( 'order', 'payment', 'fence' ) as $field ) {
					assert_same( $case['request'][ $field ], $answer[ $field ], $field );
				}
			}
			if ( null !== $case['order'] ) {
				assert_same( $case['effects'], stored_order()['completed'], 'effects' );
			}
		}
	);
}

test(
	'A paid order shows payment, transaction and payment method and has one note',
	static function (): void {
		place_order( array( 'payment_method' => 'bacs', 'status' => 'on-hold' ) );
		tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request() ), 1764000000 );
		$order = stored_order();
		assert_same( 'tillkit', $order['payment_method'] );
		assert_same( 'Mobile money', $order['title'] );
		assert_same( 'tx_01', $order['transaction'] );
		assert_same( '4b0e9a52-6a0e-4f6e-9d6b-0c8f4f0f9b11', $order['meta']['_tillkit_payment_id'] );
		assert_same( '3 1764000000 1042', $order['meta']['_tillkit_fence'] );
		assert_same( array( 'Paid with Tillkit. Payment 4b0e9a52-6a0e-4f6e-9d6b-0c8f4f0f9b11, transaction tx_01.' ), $order['notes'] );
	}
);

test(
	'Order, note and title name how the shopper paid, whatever method they chose',
	static function (): void {
		$titles = array();
		foreach ( array( 'WAVE', 'CARD', 'MTN', 'ORANGE_MONEY', '', 'x<b>', 7 ) as $index => $provider ) {
			place_order( array( 'id' => 1042 + $index, 'title' => 'Mobile money' ) );
			tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request( array( 'order' => (string) ( 1042 + $index ), 'provider' => $provider ) ) ), 1764000000 );
			$titles[] = stored_order( 1042 + $index )['title'];
		}
		assert_same( array( 'Wave', 'Card', 'MTN MoMo', 'Orange Money', 'Mobile money', 'Mobile money', 'Mobile money' ), $titles );
		assert_same( array( 'Paid with Tillkit (Wave). Payment 4b0e9a52-6a0e-4f6e-9d6b-0c8f4f0f9b11, transaction tx_01.' ), stored_order()['notes'] );
	}
);

test(
	'A child order with the copied meta of its parent is paid although the parent has a newer writer',
	static function (): void {
		place_order();
		tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request( array( 'fence' => 9 ) ) ), 1764000000 );
		$copied = array( '_tillkit_fence' => stored_order()['meta']['_tillkit_fence'] );
		place_order( array( 'id' => 1043, 'meta' => $copied ) );
		$request = tillkit_read_order_fields( 'mark-paid', mark_paid_request( array( 'order' => '1043' ) ) );
		assert_same( 'recorded', tillkit_mark_paid( $request, 1764000001 )['outcome'] );
		assert_same( '3 1764000001 1043', stored_order( 1043 )['meta']['_tillkit_fence'] );
		place_order( array( 'id' => 1044, 'meta' => array( '_tillkit_fence' => '9 1764000000 1044' ) ) );
		$request = tillkit_read_order_fields( 'mark-paid', mark_paid_request( array( 'order' => '1044' ) ) );
		assert_same( 'tillkit_older_writer', tillkit_mark_paid( $request, 1764000001 )->code );
	}
);

test(
	'A writer that a clock a month ahead has dated keeps no later writer out after the clock was set back',
	static function (): void {
		$ahead = 1764000000 + 30 * 86400;
		place_order( array( 'id' => 1045, 'meta' => array( '_tillkit_fence' => "9 $ahead 1045" ) ) );
		$request = mark_paid_request( array( 'order' => '1045' ) );
		$answer  = tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', $request ), 1764000000 );
		assert_same( 'recorded', is_array( $answer ) ? $answer['outcome'] : $answer->code );
	}
);

test(
	'The mark-paid call clears every cache before each read of the order: before it decides, before each save and at the end',
	static function (): void {
		place_order();
		tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request() ), 1764000000 );
		$caches = array( 'post:1042', 'orders:meta-1042', 'order-cache:1042', 'tables:1042' );
		assert_same( array_merge( $caches, $caches, $caches, $caches ), Stubs::$cleared );
	}
);

test(
	'The mark-paid call fails with tillkit_not_recorded if WooCommerce does not complete the order',
	static function (): void {
		Stubs::$complete_works = false;
		place_order();
		$answer = tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request() ), 1764000000 );
		assert_same( 'tillkit_not_recorded', $answer->code );
		assert_same( 500, $answer->status );
		assert_same( array(), stored_order()['notes'] );
	}
);

test(
	'The mark-paid call answers gone for the id of a refund',
	static function (): void {
		place_order( array( 'status' => 'refund' ) );
		assert_same( 'gone', tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request() ), 1764000000 )['outcome'] );
	}
);

test(
	'The mark-paid call compares the amount as a number, whatever the shop\'s number of decimals',
	static function (): void {
		Stubs::$decimals = 0;
		place_order( array( 'total' => '5000.00' ) );
		assert_same( 'not-payable', tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request( array( 'amount' => '5000.01' ) ) ), 1764000000 )['outcome'] );
		assert_same( 'recorded', tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request( array( 'amount' => '5000.000000' ) ) ), 1764000000 )['outcome'] );
	}
);

<?php
/** A payment claims an order, its call dies, and its money goes back before any call ends it: nobody will make that call again. */

/** The money of payment A has gone back, and payment B arrives. */
function mark_paid_by_next( array $change = array() ) {
	return mark_paid( $change + array( 'payment' => 'payment-b', 'transaction' => 'tx_b', 'returned' => array( 'payment-0', 'payment-a' ) ) );
}

/** The call of payment A ends after one of its steps: claim, row or state. */
function die_after( string $step ): Tillkit_Prestashop_Order {
	$order = place_order();
	$paid  = mark_paid_fields() + array( 'provider' => '', 'environment' => '', 'already_paid' => false );
	tillkit_claim_order( $order, $paid );
	$order = tillkit_fresh_order( (int) $order->id() );
	if ( 'claim' !== $step ) {
		tillkit_add_payment_row( $order, $paid );
	}
	if ( 'state' === $step ) {
		tillkit_with_lock( 'order ' . $order->id(), 0, static function () use ( $order ): void { tillkit_set_paid_states( $order ); } );
	}
	start_request();
	sign_in( 7 );
	return $order;
}

/** @return array<string,float> Transaction => what its rows amount to. */
function sums_of_rows(): array {
	return array_map( 'floatval', array_column( rows( 'SELECT transaction_id, SUM(amount) AS amount FROM ps_order_payment GROUP BY transaction_id ORDER BY transaction_id' ), 'amount', 'transaction_id' ) );
}

test(
	'A payment whose call died and whose money went back does not block the next one, wherever its call died',
	static function (): void {
		$sums = array(
			'claim' => array( 'tx_b' => 5000.0 ),
			'row'   => array( 'tx_a' => 0.0, 'tx_b' => 5000.0 ),
			'state' => array( 'tx_a' => 0.0, 'tx_b' => 5000.0 ),
		);
		foreach ( $sums as $step => $expected ) {
			close_shop();
			open_shop();
			die_after( $step );
			assert_same( 'other-payment', outcome_of( mark_paid_by_next( array( 'returned' => array() ) ) ), "after the $step its money is still there;" );
			assert_same( array( 'recorded', 'already' ), array( outcome_of( mark_paid_by_next() ), outcome_of( mark_paid_by_next() ) ), "after the $step" );
			assert_same( $expected, sums_of_rows(), "after the $step" );
			assert_same( array( 2, 5000.0, 'payment-b' ), array( state_of_order(), (float) rows( 'SELECT total_paid_real FROM ps_orders' )[0]['total_paid_real'], tillkit_paid_by( tillkit_fresh_order( 1 ) ) ), "after the $step" );
			assert_same( 1, count( rows( 'SELECT * FROM ps_order_history WHERE id_order_state = 2' ) ), "after the $step" );
			assert_same( array( 'payment', 'order_conf' ), sent_mails(), "after the $step" );
			assert_same( 'other-payment', outcome_of( mark_paid( array( 'fence' => 4 ) ) ), 'a call of the first that arrives late;' );
		}
	}
);

test(
	'A payment that the order shows keeps it, also when its money has gone back',
	static function (): void {
		place_order();
		mark_paid();
		assert_same( array( 'other-payment', 'payment-a' ), array_values( array_intersect_key( mark_paid_by_next(), array_flip( array( 'outcome', 'paid_by' ) ) ) ) );
		assert_same( array( 'tx_a' => 5000.0 ), sums_of_rows() );
	}
);

test(
	'A payment that was given up changes nothing for an older writer, and its row is taken back once when the next call dies too',
	static function (): void {
		$order = die_after( 'row' );
		$order->write_facts( array( 'fence' => tillkit_write_fence( $order->id(), 9, 1764000000 ) ) );
		assert_same( 'tillkit_older_writer', outcome_of( mark_paid_by_next() ) );
		assert_same( array( array( 'tx_a' => 5000.0 ), 'payment-a' ), array( sums_of_rows(), tillkit_fresh_order( 1 )->fact( 'payment_id' ) ) );
		tillkit_take_row_back( $order );
		tillkit_take_row_back( $order );
		assert_same( array( 'tx_a' => 0.0 ), sums_of_rows() );
		assert_same( 'recorded', outcome_of( mark_paid_by_next( array( 'fence' => 9 ) ) ) );
		assert_same( array( 'tx_a' => 0.0, 'tx_b' => 5000.0 ), sums_of_rows() );
	}
);

test(
	'An order that its owner set to paid stays the owner’s when the payment that was accepted for it is given up',
	static function (): void {
		$order = place_order();
		owner_sets( 2 );
		tillkit_claim_order( $order, mark_paid_fields() );
		$answer = mark_paid_by_next();
		assert_same( array( 'other-payment', 'owner' ), array( $answer['outcome'], $answer['paid_by'] ) );
		assert_same( 'recorded', outcome_of( mark_paid_by_next( array( 'already_paid' => true ) ) ) );
		assert_same( 1, count( rows( 'SELECT * FROM ps_order_payment' ) ) );
	}
);

test(
	'An order that its owner cancelled after the dead call had set it to paid is not paid by the next payment, and nobody refunds it unasked',
	static function (): void {
		die_after( 'state' );
		owner_sets( 6 );
		assert_same( array( 'other-payment', 'unclear' ), array_values( array_intersect_key( mark_paid_by_next(), array_flip( array( 'outcome', 'paid_by' ) ) ) ) );
		assert_same( array( 6, array( 'tx_a' => 0.0 ) ), array( state_of_order(), sums_of_rows() ) );
	}
);

test(
	'An order whose only payment was given up is closed with its stock when nobody pays it, and a payment that may still count keeps it open',
	static function (): void {
		foreach ( array( 'claim', 'row' ) as $step ) {
			close_shop();
			open_shop();
			die_after( $step );
			assert_same( 'unchanged', outcome_of( call_about_order( 'close-order' ) ) );
			assert_same( 'closed', outcome_of( call_about_order( 'close-order', array( 'returned' => array( 'payment-a' ) ) ) ) );
			assert_same( array( 6, 10, 0 ), array( state_of_order(), (int) rows( 'SELECT quantity FROM ps_stock' )[0]['quantity'], (int) array_sum( sums_of_rows() ) ) );
		}
		close_shop();
		open_shop();
		die_after( 'state' );
		assert_same( 'unchanged', outcome_of( call_about_order( 'close-order', array( 'returned' => array( 'payment-a' ) ) ) ) );
	}
);

test(
	'A list of payments that is none changes nothing',
	static function (): void {
		place_order();
		foreach ( array( 'payment-a', array( 7 ), array( 'of="a"' ), array( 'a' => 'payment-a' ) ) as $returned ) {
			assert_same( 'tillkit_bad_request', outcome_of( mark_paid( array( 'returned' => $returned ) ) ) );
		}
		assert_same( array(), rows( 'SELECT * FROM ps_order_payment' ) );
	}
);

<?php
/** Orders of the shop: made before they are paid, marked paid once, held, and changed by their owner. */

test(
	'An order is made before it is paid, and its confirmation is sent once, after the payment',
	static function (): void {
		$order = place_order();
		assert_same( array( array(), 1 ), array( rows( 'SELECT * FROM mailbox' ), count( rows( 'SELECT * FROM ps_tillkit_withheld' ) ) ) );
		assert_same( array( 'recorded', 'already' ), array( outcome_of( mark_paid( array( 'provider' => 'WAVE' ) ) ), outcome_of( mark_paid() ) ) );
		assert_same( array( array( 'template' => 'payment', 'payment' => '' ), array( 'template' => 'order_conf', 'payment' => 'Tillkit (Wave)' ) ), rows( 'SELECT template, payment FROM mailbox' ) );
		assert_same( $order->key(), place_order()->key(), 'a second click gets the same order;' );
	}
);

test(
	'The lock is a lock also where the shop answers queries from its cache',
	static function (): void {
		$name = tillkit_lock_name( 'order 1' );
		// What the shop does with a query that it has answered before.
		Db::getInstance()->executeS( "SELECT GET_LOCK('$name', 10) AS acquired" );
		Db::getInstance()->release_lock( $name );
		assert_same( array( 'acquired' => 1 ), Db::getInstance()->executeS( "SELECT GET_LOCK('$name', 10) AS acquired" )[0], 'the cache answers that the lock is held;' );
		$other = fopen( Db::$folder . "/lock-$name", 'c' );
		flock( $other, LOCK_EX );
		assert_same( null, tillkit_with_lock( 'order 1', 0, static function (): string { return 'ran'; } ) );
		fclose( $other );
		assert_same( 'ran', tillkit_with_lock( 'order 1', 0, static function (): string { return 'ran'; } ) );
	}
);

test(
	'Orders of one cart with several carriers are paid together by one payment of the sum',
	static function (): void {
		$order = place_order( array( '3000.000000', '2000.000000' ) );
		assert_true( tillkit_is_same_amount( $order->total(), '5000' ), 'the total is the sum;' );
		assert_same( 'recorded', outcome_of( mark_paid() ) );
		assert_same( array( '2', '2' ), array_map( 'strval', array_column( rows( 'SELECT current_state FROM ps_orders' ), 'current_state' ) ) );
		assert_same( array( array( 'amount' => '5000', 'transaction_id' => 'tx_a' ) ), array_map( static function ( array $row ): array { return array_map( 'strval', $row ); }, rows( 'SELECT amount, transaction_id FROM ps_order_payment' ) ) );
	}
);

test(
	'A payment whose request died after its row, or after its claim, is ended by its next call with one row',
	static function (): void {
		$order = place_order();
		tillkit_claim_order( $order, mark_paid_fields() );
		assert_same( 'other-payment', outcome_of( mark_paid( array( 'payment' => 'payment-b', 'transaction' => 'tx_b' ) ) ) );
		tillkit_add_payment_row( tillkit_fresh_order( 1 ), mark_paid_fields() + array( 'provider' => '' ) );
		assert_same( 'recorded', outcome_of( mark_paid( array( 'transaction' => 'read-later' ) ) ), 'the service has named the transaction since;' );
		assert_same( array( 1, '2' ), array( count( rows( 'SELECT * FROM ps_order_payment' ) ), (string) rows( 'SELECT current_state FROM ps_orders' )[0]['current_state'] ) );
	}
);

test(
	'An order with another total, another key or a closed state is not paid',
	static function (): void {
		place_order();
		assert_same( array( 'not-payable', 'not-payable', 'gone' ), array( outcome_of( mark_paid( array( 'amount' => '4999.000000' ) ) ), outcome_of( mark_paid( array( 'currency' => 'EUR' ) ) ), outcome_of( mark_paid( array( 'key' => 'of-a-copy' ) ) ) ) );
		( new Order( 1 ) )->setCurrentState( 6 );
		assert_same( 'not-payable', outcome_of( mark_paid() ) );
		assert_same( array(), rows( 'SELECT * FROM ps_order_payment' ) );
	}
);

test(
	'An older writer is refused for ten minutes',
	static function (): void {
		$order = place_order();
		$order->write_facts( array( 'fence' => tillkit_write_fence( $order->id(), 4, 1764000000 ) ) );
		assert_same( 'tillkit_older_writer', outcome_of( mark_paid() ) );
		assert_same( 'recorded', outcome_of( mark_paid( array( 'fence' => 5 ) ) ) );
	}
);

test(
	'An order that its owner set to paid is not paid a second time, and the accepted payment is noted on it',
	static function (): void {
		place_order();
		owner_sets( 2 );
		assert_same( array( 'payment', 'order_conf' ), array_merge( array_diff( sent_mails(), array( 'order_conf' ) ), array( 'order_conf' ) ), 'the customer gets the confirmation now;' );
		$answer = mark_paid();
		assert_same( array( 'other-payment', 'owner' ), array( $answer['outcome'], $answer['paid_by'] ) );
		assert_same( 'recorded', outcome_of( mark_paid( array( 'already_paid' => true ) ) ) );
		assert_same( 1, count( rows( 'SELECT * FROM ps_order_payment' ) ) );
		assert_same( 'payment-a', tillkit_paid_by( tillkit_fresh_order( 1 ) ) );
	}
);

test(
	'Only an order that waits for its payment is held, and a held order can still be paid',
	static function (): void {
		$order = place_order();
		$hold  = array( 'order' => $order->id(), 'key' => $order->key() );
		$held = static function () use ( $hold ): array { return array_values( array_intersect_key( tillkit_hold( $hold ), array_flip( array( 'outcome', 'status' ) ) ) ); };
		assert_same( array( array( 'held', 'review' ), array( 'unchanged', 'review' ) ), array( tillkit_with_lock( 'order 1', 0, $held ), tillkit_with_lock( 'order 1', 0, $held ) ) );
		assert_same( 'recorded', outcome_of( mark_paid() ) );
		close_shop();
		open_shop();
		$order = place_order();
		( new Order( 1 ) )->setCurrentState( 6 );
		assert_same( 'unchanged', tillkit_hold( array( 'order' => $order->id(), 'key' => $order->key() ) )['outcome'] );
	}
);

test(
	'An error of another module while the order becomes paid loses nothing, and neither does a request that died before the history',
	static function (): void {
		place_order();
		Hook::$listeners['actionOrderStatusPostUpdate'] = array( static function (): void { throw new TypeError( 'of another module' ); } );
		$answer = mark_paid();
		assert_same( 'recorded', outcome_of( $answer ) );
		assert_same( array( 1, 1 ), array( count( rows( 'SELECT * FROM ps_order_payment' ) ), count( rows( 'SELECT * FROM ps_order_history WHERE id_order_state = 2' ) ) ) );
		assert_same( array( 'payment', 'order_conf' ), sent_mails() );
		close_shop();
		open_shop();
		$order = place_order();
		tillkit_claim_order( $order, mark_paid_fields() );
		tillkit_add_payment_row( tillkit_fresh_order( 1 ), mark_paid_fields() + array( 'provider' => '' ) );
		Db::getInstance()->execute( 'UPDATE ps_orders SET current_state = 2' );
		assert_same( 'recorded', outcome_of( mark_paid() ) );
		assert_same( array( 'payment', 'order_conf' ), sent_mails() );
	}
);

test(
	'The date of the payment is that of the paid state, however often the checkout server asks',
	static function (): void {
		place_order();
		mark_paid();
		Db::getInstance()->execute( "UPDATE ps_order_history SET date_add = '" . date( 'Y-m-d H:i:s', 1764000000 ) . "' WHERE id_order_state = 2" );
		$again = mark_paid();
		assert_same( array( 'already', 1764000000, 'paid' ), array( $again['outcome'], $again['date_paid'], $again['status'] ) );
	}
);

test(
	'An owner who sets an order to paid after the call of its payment died came first, and the order has the money of one payment',
	static function (): void {
		foreach ( array( false, true ) as $has_row ) {
			close_shop();
			open_shop();
			$order = place_order();
			tillkit_claim_order( $order, mark_paid_fields() );
			if ( $has_row ) {
				tillkit_add_payment_row( tillkit_fresh_order( 1 ), mark_paid_fields() + array( 'provider' => '' ) );
			}
			owner_sets( 2 );
			assert_same( 'owner', call_about_order( 'read-order' )['order']['paid_by'] );
			assert_same( array( 'other-payment', 'owner' ), array_values( array_intersect_key( mark_paid(), array_flip( array( 'outcome', 'paid_by' ) ) ) ) );
			assert_same( 'recorded', outcome_of( mark_paid( array( 'already_paid' => true ) ) ) );
			assert_same( array( 1, 5000.0 ), array( count( rows( 'SELECT * FROM ps_order_payment' ) ), (float) rows( 'SELECT total_paid_real FROM ps_orders' )[0]['total_paid_real'] ) );
		}
	}
);

test(
	'A payment whose call died is not shown before it is ended, and ends as not payable where the owner has cancelled the order since',
	static function (): void {
		$order = place_order();
		tillkit_claim_order( $order, mark_paid_fields() );
		$read = call_about_order( 'read-order' )['order'];
		assert_same( array( null, true ), array( $read['paid_by'], $read['payable'] ) );
		owner_sets( 6 );
		$read = call_about_order( 'read-order' )['order'];
		assert_same( array( null, false, true ), array( $read['paid_by'], $read['payable'], $read['closed'] ) );
		$answer = mark_paid();
		assert_same( array( 'not-payable', null ), array( $answer['outcome'], $answer['paid_by'] ) );
		assert_same( array(), rows( 'SELECT * FROM ps_order_payment' ) );
		owner_sets( 2 );
		assert_same( array( 'recorded', 'payment-a' ), array( outcome_of( mark_paid( array( 'already_paid' => true ) ) ), call_about_order( 'read-order' )['order']['paid_by'] ) );
		assert_same( 9, (int) rows( 'SELECT quantity FROM ps_stock' )[0]['quantity'] );
	}
);

<?php
/** Refunds and notes that the checkout server records: once each, however often and however late its calls arrive. */

function place_paid_order( array $change = array() ): void {
	place_order( $change + array( 'status' => 'processing', 'date_paid' => time() - 100, 'meta' => array( '_tillkit_payment_id' => mark_paid_request()['payment'] ) ) );
}

function record_refund( array $change = array() ): WP_REST_Response {
	return tillkit_answer_request( 'record-refund', signed_request( 'record-refund', json_encode( record_refund_request( $change ) ) ) );
}

function recorded_refunds(): array {
	return stored_order()['refunds'] ?? array();
}

function add_note( array $change = array() ): WP_REST_Response {
	$body = $change + array( 'order' => '1042', 'key' => 'wc_order_AbC123xyZ', 'marker' => '[tillkit note 0123456789ab]', 'text' => "Payé deux fois.\nÀ vérifier." );
	return tillkit_answer_request( 'note', signed_request( 'note', json_encode( $body ) ) );
}

test(
	'A refund of the service is recorded once, with its id, and the gateway is not asked to refund it',
	static function (): void {
		place_paid_order();
		$first = record_refund();
		assert_same( array( 'outcome' => 'recorded', 'order' => '1042', 'refund' => 'rf_01' ), $first->data );
		assert_same( array_keys( vectors( 'answers' )['record-refund'] ), array_keys( $first->data ) );
		assert_same( 'already', record_refund()->data['outcome'] );
		assert_same( 1, count( recorded_refunds() ) );
		$refund = recorded_refunds()[0];
		assert_same( array( '1500.00', 'Refunded at the payment service', false, false ), array( $refund['amount'], $refund['reason'], $refund['refund_payment'], $refund['restock_items'] ) );
		assert_same( 'rf_01', $refund['meta']['_tillkit_refund_id'] );
		assert_same( 'recorded', record_refund( array( 'refund' => 'rf_02' ) )->data['outcome'] );
		assert_same( 2, count( recorded_refunds() ) );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'A refund that was recorded under its key is not recorded again once its id is known',
	static function (): void {
		place_paid_order();
		assert_same( 'recorded', record_refund( array( 'refund' => 'tillkit:1', 'refund_key' => 'tillkit:1' ) )->data['outcome'] );
		assert_same( 'already', record_refund( array( 'refund' => 'rf_09', 'refund_key' => 'tillkit:1' ) )->data['outcome'] );
		assert_same( 1, count( recorded_refunds() ) );
	}
);

test(
	'A full refund that arrives again after the order became refunded is answered already',
	static function (): void {
		place_paid_order();
		assert_same( 'recorded', record_refund( array( 'amount' => '5000.00' ) )->data['outcome'] );
		assert_same( 'refunded', stored_order()['status'] );
		assert_same( 'already', record_refund( array( 'amount' => '5000.00' ) )->data['outcome'] );
	}
);

test(
	'A refund that the owner entered by hand is refused and not recorded twice',
	static function (): void {
		place_paid_order( array( 'refunds' => array( array( 'amount' => '5000.00', 'meta' => array() ) ) ) );
		assert_same( array( 200, 'refused' ), array( record_refund()->status, record_refund()->data['outcome'] ) );
		assert_same( 'refused', record_refund( array( 'currency' => 'EUR', 'amount' => '1.00' ) )->data['outcome'] );
		assert_same( 1, count( recorded_refunds() ) );
	}
);

test(
	'A refund is not recorded on an order that does not show its payment, nor on an order in the trash',
	static function (): void {
		place_paid_order();
		assert_same( array( 409, 'tillkit_payment_not_shown' ), array( record_refund( array( 'payment' => 'another' ) )->status, record_refund( array( 'payment' => 'another' ) )->data['code'] ) );
		place_paid_order( array( 'status' => 'trash' ) );
		assert_same( 409, record_refund()->status );
		assert_same( 'gone', record_refund( array( 'key' => 'wc_order_other' ) )->data['outcome'] );
		assert_same( 'gone', record_refund( array( 'order' => '7' ) )->data['outcome'] );
		assert_same( array(), recorded_refunds() );
	}
);

test(
	'A refund call that is signed for another purpose, or lacks a field, records nothing',
	static function (): void {
		place_paid_order();
		assert_same( 401, tillkit_answer_request( 'record-refund', signed_request( 'orders', '{"order":"1042"}' ) )->status );
		foreach ( array( 'refund' => '', 'amount' => '-1', 'payment' => '../x', 'currency' => 'xof', 'reason' => "two\nlines" ) as $name => $value ) {
			assert_same( 400, record_refund( array( $name => $value ) )->status, "$name:" );
		}
		assert_same( array(), recorded_refunds() );
	}
);

test(
	'A note of the checkout server is added once for each marker',
	static function (): void {
		place_order();
		$first = add_note();
		assert_same( array( 'outcome' => 'recorded', 'order' => '1042', 'marker' => '[tillkit note 0123456789ab]' ), $first->data );
		assert_same( array_keys( vectors( 'answers' )['note'] ), array_keys( $first->data ) );
		assert_same( 'already', add_note( array( 'text' => 'The same event in other words.' ) )->data['outcome'] );
		assert_same( array( "Payé deux fois.\nÀ vérifier." ), stored_order()['notes'] );
		assert_same( 'recorded', add_note( array( 'marker' => '[tillkit hold 0123456789ab]' ) )->data['outcome'] );
		assert_same( 'gone', add_note( array( 'key' => 'wc_order_other' ) )->data['outcome'] );
		assert_same( 400, add_note( array( 'marker' => '[another mark]' ) )->status );
		assert_same( 2, count( stored_order()['notes'] ) );
	}
);

foreach ( array( 'mysql' => 'with named locks', 'sqlite' => 'with ineffective named locks', 'none' => 'without named locks' ) as $locks => $words ) {
	test(
		"Five concurrent processes that record a refund record it once on a database $words",
		static function () use ( $locks ): void {
			place_paid_order();
			$running = array();
			for ( $number = 0; $number < 5; ++$number ) {
				$pipes     = array();
				$process   = proc_open( array( PHP_BINARY, __DIR__ . '/record-refund-worker.php', Shop_State::$folder, $locks ), array( 1 => array( 'pipe', 'w' ) ), $pipes );
				$running[] = array( $process, $pipes[1] );
			}
			$outcomes = array();
			foreach ( $running as list( $process, $pipe ) ) {
				$outcomes[] = json_decode( stream_get_contents( $pipe ), true )['outcome'] ?? 'no answer';
				proc_close( $process );
			}
			sort( $outcomes );
			assert_same( array( 'already', 'already', 'already', 'already', 'recorded' ), $outcomes );
			assert_same( 1, count( recorded_refunds() ) );
		}
	);
}

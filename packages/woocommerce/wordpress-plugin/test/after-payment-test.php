<?php
/** What follows a payment happens once, also when PHP dies or another plugin fails while the order is being marked paid. */

const FINISHED_PAYMENT = '4b0e9a52-6a0e-4f6e-9d6b-0c8f4f0f9b11';

/** Marks the order paid in a process that dies at the hook. Returns its answer, or null. */
function mark_paid_and_die( string $place, string $hook ): ?array {
	return run_worker( 'mark-paid-worker', array( FINISHED_PAYMENT, $place, $hook ) );
}

function run_worker( string $name, array $words ): ?array {
	$command = array_merge( array( PHP_BINARY, __DIR__ . "/$name.php", Shop_State::$folder, 'mysql' ), $words );
	$pipes   = array();
	$process = proc_open( $command, array( 1 => array( 'pipe', 'w' ) ), $pipes );
	$answer  = json_decode( stream_get_contents( $pipes[1] ), true );
	proc_close( $process );
	return $answer;
}

function mark_paid_once_more(): array {
	return tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request() ), time() );
}

/** The order is paid, its stock is taken once, both e-mails were sent once, and it has one note and no mark. */
function assert_finished(): void {
	$order = stored_order();
	assert_same( 'processing', $order['status'] );
	assert_same( 1, $order['stock_reduced'], 'stock' );
	assert_same( array( 'new_order', 'customer_processing_order' ), $order['mails'], 'e-mails' );
	assert_same( 1, count( $order['notes'] ), 'notes' );
	assert_contains( 'Paid with Tillkit.', $order['notes'][0] );
	assert_same( array(), array_intersect_key( $order['meta'], array_flip( array( '_tillkit_unfinished', '_tillkit_customer_email', '_tillkit_attention' ) ) ) );
}

$steps = array(
	'before the stock is taken'           => array( 'before', 'woocommerce_order_status_processing' ),
	'after the stock was taken'           => array( 'after', 'woocommerce_order_status_processing' ),
	'before the e-mails'                  => array( 'before', 'woocommerce_order_status_pending_to_processing' ),
	'after the e-mail to the owner'       => array( 'after', 'woocommerce_email_sent' ),
	'after the e-mail to the customer'    => array( 'after', 'woocommerce_order_status_pending_to_processing' ),
	'after the change of the status'      => array( 'after', 'woocommerce_order_status_changed' ),
	'after the payment was complete'      => array( 'after', 'woocommerce_payment_complete' ),
);
foreach ( $steps as $words => list( $place, $hook ) ) {
	test(
		"A payment whose process dies $words is finished by the next call",
		static function () use ( $place, $hook ): void {
			place_order();
			assert_same( null, mark_paid_and_die( $place, $hook ) );
			assert_same( 'already', mark_paid_once_more()['outcome'] );
			assert_finished();
			mark_paid_once_more();
			assert_finished();
		}
	);
}

test(
	'The note of a finished payment says what was done late',
	static function (): void {
		place_order();
		mark_paid_and_die( 'before', 'woocommerce_order_status_processing' );
		mark_paid_once_more();
		assert_contains( 'Done now: stock, the e-mail to you, the e-mail to the customer.', stored_order()['notes'][0] );
	}
);

test(
	'An error of another plugin while the order is being marked paid is logged, and stock and e-mails follow in the same call',
	static function (): void {
		place_order();
		$fail = static function (): void {
			throw new TypeError( 'no e-mail of a person in a log: awa@example.com' );
		};
		add_action( 'woocommerce_order_status_changed', $fail );
		$hooks = $GLOBALS['hooks']['woocommerce_order_status_processing'];
		array_unshift( $GLOBALS['hooks']['woocommerce_order_status_processing'], array( $fail, 1 ) );
		try {
			assert_same( 'recorded', mark_paid_once_more()['outcome'] );
		} finally {
			remove_action( 'woocommerce_order_status_changed', $fail );
			$GLOBALS['hooks']['woocommerce_order_status_processing'] = $hooks;
		}
		assert_finished();
		assert_contains( 'other_plugin_failed error=TypeError', implode( ' ', Stubs::$logged ) );
		assert_not_contains( 'awa@example.com', json_encode( Stubs::$logged ) );
	}
);

test(
	'An exception of another plugin, which WooCommerce catches, costs no e-mail',
	static function (): void {
		place_order();
		$fail = static function (): void {
			throw new DomainException( 'another plugin' );
		};
		add_action( 'woocommerce_order_status_processing', $fail );
		try {
			mark_paid_once_more();
		} finally {
			remove_action( 'woocommerce_order_status_processing', $fail );
		}
		assert_same( array( 'new_order', 'customer_processing_order' ), stored_order()['mails'] );
		assert_same( 1, stored_order()['stock_reduced'] );
	}
);

test(
	'An e-mail that the owner has switched off is not sent by a repair, and is not missed',
	static function (): void {
		place_order();
		update_option( 'woocommerce_customer_processing_order_settings', array( 'enabled' => 'no' ) );
		mark_paid_and_die( 'before', 'woocommerce_order_status_processing' );
		mark_paid_once_more();
		assert_same( array( 'new_order' ), stored_order()['mails'] );
		assert_same( '', stored_order()['meta']['_tillkit_attention'] ?? '' );
	}
);

test(
	'A repair that dies each time is given up, and the owner is told what is missing',
	static function (): void {
		place_order();
		mark_paid_and_die( 'before', 'woocommerce_order_status_processing' );
		for ( $try = 0; $try < 3; $try++ ) {
			assert_same( null, mark_paid_and_die( 'after', 'woocommerce_payment_complete_reduce_order_stock' ) );
		}
		assert_same( 'already', mark_paid_and_die( 'after', 'woocommerce_payment_complete_reduce_order_stock' )['outcome'] );
		assert_same( 'payment_unfinished', stored_order()['meta']['_tillkit_attention'] );
		assert_contains( 'See to it yourself: stock, the e-mail to you, the e-mail to the customer.', stored_order()['notes'][0] );
		assert_same( array( 1042 ), tillkit_waiting_orders() );
		assert_contains( 'check its stock and its e-mails', output_of( static function (): void {
			tillkit_show_order_box( wc_get_order( 1042 ) );
		} ) );
	}
);

test(
	'A stock that the owner put back by hand after the payment is not taken again',
	static function (): void {
		place_order();
		mark_paid_once_more();
		change_order_row( 1042, static function ( array $row ): array {
			return array( 'stock_reduced' => 0 ) + $row;
		} );
		assert_same( 'already', mark_paid_once_more()['outcome'] );
		assert_same( 0, stored_order()['stock_reduced'] );
	}
);

test(
	'A full refund whose process dies before the order is refunded is finished by the next call, once',
	static function (): void {
		place_paid_order();
		$full = array( 'amount' => '5000.00' );
		assert_same( null, run_worker( 'record-refund-worker', array( '5000.00', 'woocommerce_order_fully_refunded' ) ) );
		assert_same( 'processing', stored_order()['status'] );
		for ( $call = 0; $call < 2; $call++ ) {
			assert_same( 'already', record_refund( $full )->data['outcome'] );
			assert_same( 'refunded', stored_order()['status'] );
			assert_same( 1, count( recorded_refunds() ) );
			assert_same( false, isset( recorded_refunds()[0]['meta']['_tillkit_unfinished'] ) );
			assert_same( 1, count( stored_order()['notes'] ) );
		}
	}
);

test(
	'An error of another plugin while a refund is recorded neither loses the refund nor records it twice',
	static function (): void {
		place_paid_order();
		$fail = static function (): void {
			throw new TypeError( 'another plugin' );
		};
		add_action( 'woocommerce_order_fully_refunded', $fail );
		try {
			assert_same( 'recorded', record_refund( array( 'amount' => '5000.00' ) )->data['outcome'] );
		} finally {
			remove_action( 'woocommerce_order_fully_refunded', $fail );
		}
		assert_same( 'refunded', stored_order()['status'] );
		assert_same( 1, count( recorded_refunds() ) );
	}
);

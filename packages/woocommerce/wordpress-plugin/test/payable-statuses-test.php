<?php
/** Statuses of other plugins, for deposits and quotes: WooCommerce's own filters say which of them are payable. */

/** Another plugin makes its status payable; a careful one also lets WooCommerce complete its payments. */
function add_payable_status( string $status, bool $is_careful ): void {
	$add = static function ( array $statuses ) use ( $status ): array {
		return array_merge( $statuses, array( $status ) );
	};
	add_filter( 'woocommerce_valid_order_statuses_for_payment', $add );
	if ( $is_careful ) {
		add_filter( 'woocommerce_valid_order_statuses_for_payment_complete', $add );
	}
}

function remove_payable_statuses(): void {
	unset( $GLOBALS['hooks']['woocommerce_valid_order_statuses_for_payment'], $GLOBALS['hooks']['woocommerce_valid_order_statuses_for_payment_complete'] );
}

foreach ( array( 'lets WooCommerce complete payments of it' => true, 'forgets to let WooCommerce complete payments of it' => false ) as $case => $is_careful ) {
	test(
		"An order in the payable status of another plugin, which $case, is paid once",
		static function () use ( $is_careful ): void {
			add_payable_status( 'quote-accepted', $is_careful );
			place_order( array( 'status' => 'quote-accepted' ) );
			try {
				$request = tillkit_read_order_fields( 'mark-paid', mark_paid_request() );
				assert_same( array( 'recorded', 'already' ), array( tillkit_mark_paid( $request, time() )['outcome'], tillkit_mark_paid( $request, time() )['outcome'] ) );
				assert_same( array( 'processing', 1 ), array( stored_order()['status'], stored_order()['completed'] ) );
			} finally {
				remove_payable_statuses();
			}
		}
	);
}

test(
	'An order in a payable status of another plugin is put on hold when its payment does not match, and is not paid by an old date of payment',
	static function (): void {
		add_payable_status( 'quote-accepted', true );
		try {
			assert_same( null, tillkit_paid_by( place_order( array( 'status' => 'quote-accepted', 'date_paid' => 1764000000 ) ) ) );
			place_order( array( 'status' => 'quote-accepted' ) );
			assert_same( 'held', tillkit_hold( array( 'order' => '1042', 'key' => 'wc_order_AbC123xyZ' ), time() )['outcome'] );
		} finally {
			remove_payable_statuses();
		}
	}
);

test(
	'An order in a status that no plugin makes payable is not paid',
	static function (): void {
		place_order( array( 'status' => 'quote-requested' ) );
		assert_same( 'not-payable', tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request() ), time() )['outcome'] );
		assert_same( 'quote-requested', stored_order()['status'] );
	}
);

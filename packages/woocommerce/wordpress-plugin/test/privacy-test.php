<?php
/** The export and the erasure of a person's data, for which WordPress calls the plugin in steps of five orders. */

const SHOPPER = 'fatou@example.com';

/** Orders of two people; those with other payment methods are not the plugin's. */
function place_orders_of_people(): void {
	foreach ( range( 1, 7 ) as $id ) {
		place_order( array( 'id' => $id, 'email' => SHOPPER, 'meta' => array( '_tillkit_language' => 'fr', '_tillkit_payment_id' => "payment-$id" ) ) );
	}
	place_order( array( 'id' => 8, 'email' => SHOPPER, 'payment_method' => 'bacs' ) );
	place_order( array( 'id' => 9, 'email' => 'moussa@example.com' ) );
}

/** Runs all steps of an export or erasure, as WordPress does. */
function run_privacy_steps( string $filter ): array {
	$callback = apply_filters( $filter, array() )['tillkit-checkout']['callback'];
	$steps    = array();
	do {
		$steps[] = $callback( SHOPPER, count( $steps ) + 1 );
	} while ( ! is_wp_error( end( $steps ) ) && ! end( $steps )['done'] );
	return $steps;
}

/** @return string[] The orders of the calls to the checkout server. */
function orders_of_calls(): array {
	return array_map(
		static function ( array $call ): string {
			return json_decode( $call['body'], true )['order'];
		},
		Stubs::$calls
	);
}

test(
	'The export of a person contains every order that was paid with Tillkit, in steps, and no order of somebody else',
	static function (): void {
		place_orders_of_people();
		checkout_server_answers( 200, array( 'payments' => array( '5 000 F CFA · recorded' ), 'transactions' => array( '5 000 F CFA · txn_1' ), 'messages' => array( '{"type":"<b>PAYMENT</b>"}' ) ) );
		$steps = run_privacy_steps( 'wp_privacy_personal_data_exporters' );
		assert_same( 2, count( $steps ) );
		$called = orders_of_calls();
		sort( $called );
		assert_same( array( '1', '2', '3', '4', '5', '6', '7' ), $called );
		$rows = $steps[0]['data'][0]['data'];
		assert_same( 'https://pay.example/bridge/v1/export', Stubs::$calls[0]['url'] );
		assert_same( array( 'name' => 'Payment', 'value' => '5 000 F CFA · recorded' ), $rows[1] );
		assert_same( array( 'name' => 'Transaction', 'value' => '5 000 F CFA · txn_1' ), $rows[2] );
		assert_contains( '&lt;b&gt;PAYMENT', $rows[3]['value'] );
	}
);

test(
	'An export without the checkout server\'s part is not made: the owner reads why',
	static function (): void {
		place_orders_of_people();
		$steps = run_privacy_steps( 'wp_privacy_personal_data_exporters' );
		assert_true( is_wp_error( $steps[0] ), 'the step is an error;' );
		assert_contains( 'The checkout server does not answer', $steps[0]->get_error_message() );
	}
);

test(
	'An erasure keeps the payment ids on the orders, which bookkeeping and refunds need, and removes the rest',
	static function (): void {
		place_orders_of_people();
		checkout_server_answers( 200, array( 'erased' => 1, 'unfinished' => 0 ) );
		foreach ( run_privacy_steps( 'wp_privacy_personal_data_erasers' ) as $step ) {
			assert_same( array( true, false, array() ), array( $step['items_removed'], $step['items_retained'], $step['messages'] ) );
		}
		assert_same( array( '_tillkit_payment_id' => 'payment-3' ), stored_order( 3 )['meta'] );
		assert_same( array(), stored_order( 9 )['meta'] );
	}
);

test(
	'An erasure names the orders of which something was kept, and why',
	static function (): void {
		place_order( array( 'email' => SHOPPER, 'meta' => array( '_tillkit_language' => 'fr' ) ) );
		checkout_server_answers( 200, array( 'erased' => 0, 'unfinished' => 1 ) );
		$step = run_privacy_steps( 'wp_privacy_personal_data_erasers' )[0];
		assert_same( array( false, true ), array( $step['items_removed'], $step['items_retained'] ) );
		assert_same( 'Order 1042: A payment is not final yet. Erase again four days after it was paid, refunded or has expired.', $step['messages'][0] );
		assert_same( array( '_tillkit_language' => 'fr' ), stored_order()['meta'] );
		Stubs::$checkout_server = null;
		assert_contains( 'Order 1042: The checkout server does not answer', run_privacy_steps( 'wp_privacy_personal_data_erasers' )[0]['messages'][0] );
	}
);

test(
	'The owner gets a text about payments for the privacy policy',
	static function (): void {
		do_action( 'admin_init' );
		assert_contains( 'Tillkit Checkout: <p>When you pay with mobile money or a card, we send your name', implode( Stubs::$notices ) );
	}
);

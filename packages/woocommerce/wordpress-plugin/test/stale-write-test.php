<?php
/** Writes over WooCommerce's REST API that the checkout server planned before the owner decided about the order. */

/** Passes a PUT of the checkout server to the filters of WooCommerce's REST API. True if it is allowed. */
function checkout_server_write_is_allowed( array $change, array $meta = array( '_tillkit_hold' => '1764000000' ) ): bool {
	$rows = array();
	foreach ( $meta as $key => $value ) {
		$rows[] = compact( 'key', 'value' );
	}
	$answer = apply_filters( 'woocommerce_rest_pre_insert_shop_order_object', wc_get_order( 1042 ), $change + array( 'meta_data' => $rows ) );
	do_action( 'woocommerce_rest_insert_shop_order_object', wc_get_order( 1042 ), $change + array( 'meta_data' => $rows ), false );
	if ( is_wp_error( $answer ) ) {
		assert_same( array( 'tillkit_order_decided', 409 ), array( $answer->get_error_code(), $answer->get_error_data()['status'] ) );
		return false;
	}
	return true;
}

$hold_change = array( 'status' => 'on-hold' );
$paid_change = array( 'status' => 'pending', 'set_paid' => true );
$payment_meta = array( '_tillkit_payment_id' => 'payment-a', '_tillkit_hold' => '' );

foreach ( array( 'processing', 'completed', 'cancelled', 'refunded', 'trash' ) as $status ) {
	test(
		"A late write of the checkout server never changes an order that the owner set to $status",
		static function () use ( $status, $hold_change, $paid_change, $payment_meta ): void {
			place_order( array( 'status' => $status, 'date_paid' => in_array( $status, array( 'processing', 'completed' ), true ) ? 1763999000 : null ) );
			assert_same( false, checkout_server_write_is_allowed( $hold_change ) );
			assert_same( false, checkout_server_write_is_allowed( $paid_change, $payment_meta ) );
			assert_same( true, checkout_server_write_is_allowed( array(), array( '_tillkit_open_until' => '1764000000' ) ) );
		}
	);
}

test(
	'A write of the checkout server to an unpaid order is allowed',
	static function () use ( $hold_change, $paid_change, $payment_meta ): void {
		place_order();
		assert_same( true, checkout_server_write_is_allowed( $hold_change ) );
		assert_same( true, checkout_server_write_is_allowed( array( 'set_paid' => true ), $payment_meta ) );
		place_order( array( 'status' => 'on-hold', 'meta' => array( '_tillkit_hold' => '1763999950' ) ) );
		assert_same( true, checkout_server_write_is_allowed( $paid_change, $payment_meta ) );
	}
);

test(
	'A late write of a payment to an order that shows another payment is refused',
	static function () use ( $payment_meta ): void {
		place_order( array( 'status' => 'processing', 'date_paid' => 1763999000, 'meta' => array( '_tillkit_payment_id' => 'payment-b' ) ) );
		assert_same( false, checkout_server_write_is_allowed( array( 'set_paid' => true ), $payment_meta ) );
		assert_same( false, checkout_server_write_is_allowed( array(), $payment_meta ) );
		place_order( array( 'status' => 'processing', 'date_paid' => 1763999000 ) );
		assert_same( true, checkout_server_write_is_allowed( array(), $payment_meta ) );
	}
);

test(
	'A write of a paid status is allowed only to undo a stale hold',
	static function () use ( $payment_meta ): void {
		$restore_change = array( 'status' => 'processing' );
		place_order( array( 'status' => 'on-hold', 'date_paid' => 1763999960, 'meta' => array( '_tillkit_hold' => '1763999950' ) ) );
		assert_same( true, checkout_server_write_is_allowed( $restore_change, $payment_meta ) );
		place_order( array( 'status' => 'on-hold', 'date_paid' => 1763999960 ) );
		assert_same( false, checkout_server_write_is_allowed( $restore_change, array( '_tillkit_hold' => '' ) ) );
		place_order( array( 'status' => 'cancelled', 'date_paid' => 1763999960, 'meta' => array( '_tillkit_hold' => '1763999950' ) ) );
		assert_same( false, checkout_server_write_is_allowed( $restore_change, array( '_tillkit_hold' => '' ) ) );
	}
);

test(
	'Writes of people and other programs over the REST API are not checked',
	static function () use ( $hold_change ): void {
		place_order( array( 'status' => 'processing', 'date_paid' => 1763999000 ) );
		assert_same( true, checkout_server_write_is_allowed( $hold_change, array() ) );
		assert_same( true, checkout_server_write_is_allowed( $hold_change, array( 'colour' => 'blue' ) ) );
		assert_same( 'broken', apply_filters( 'woocommerce_rest_pre_insert_shop_order_object', 'broken', array() ) );
	}
);

<?php
/** A PUT of the companion as WooCommerce's REST API hands it to its filters; true when it may go on. */
function companion_puts( array $change, array $meta = array( '_tillkit_hold' => '1764000000' ) ): bool {
	$rows = array();
	foreach ( $meta as $key => $value ) {
		$rows[] = compact( 'key', 'value' );
	}
	$answer = apply_filters( 'woocommerce_rest_pre_insert_shop_order_object', wc_get_order( 1042 ), $change + array( 'meta_data' => $rows ) );
	do_action( 'woocommerce_rest_insert_shop_order_object', wc_get_order( 1042 ) );
	if ( is_wp_error( $answer ) ) {
		same( array( 'tillkit_order_decided', 409 ), array( $answer->get_error_code(), $answer->get_error_data()['status'] ) );
		return false;
	}
	return true;
}

$hold = array( 'status' => 'on-hold' );
$paid = array( 'status' => 'pending', 'set_paid' => true );
$ours = array( '_tillkit_payment_id' => 'payment-a', '_tillkit_hold' => '' );

foreach ( array( 'processing', 'completed', 'cancelled', 'refunded', 'trash' ) as $status ) {
	test(
		"A write of the companion that lands late never undoes that the owner set the order to $status",
		static function () use ( $status, $hold, $paid, $ours ): void {
			place_order( array( 'status' => $status, 'date_paid' => in_array( $status, array( 'processing', 'completed' ), true ) ? 1763999000 : null ) );
			same( false, companion_puts( $hold ) );
			same( false, companion_puts( $paid, $ours ) );
			same( true, companion_puts( array(), array( '_tillkit_open_until' => '1764000000' ) ) );
		}
	);
}

test(
	'A write of the companion for an order that waits for money goes on',
	static function () use ( $hold, $paid, $ours ): void {
		place_order();
		same( true, companion_puts( $hold ) );
		same( true, companion_puts( array( 'set_paid' => true ), $ours ) );
		place_order( array( 'status' => 'on-hold', 'meta' => array( '_tillkit_hold' => '1763999950' ) ) );
		same( true, companion_puts( $paid, $ours ) );
	}
);

test(
	'A payment is named late on an order that shows another one: it is refused',
	static function () use ( $ours ): void {
		place_order( array( 'status' => 'processing', 'date_paid' => 1763999000, 'meta' => array( '_tillkit_payment_id' => 'payment-b' ) ) );
		same( false, companion_puts( array( 'set_paid' => true ), $ours ) );
		same( false, companion_puts( array(), $ours ) );
		place_order( array( 'status' => 'processing', 'date_paid' => 1763999000 ) );
		same( true, companion_puts( array(), $ours ) );
	}
);

test(
	'Only an order on which a hold of ours landed late is set back to what the owner had set',
	static function () use ( $ours ): void {
		$back = array( 'status' => 'processing' );
		place_order( array( 'status' => 'on-hold', 'date_paid' => 1763999960, 'meta' => array( '_tillkit_hold' => '1763999950' ) ) );
		same( true, companion_puts( $back, $ours ) );
		place_order( array( 'status' => 'on-hold', 'date_paid' => 1763999960 ) );
		same( false, companion_puts( $back, array( '_tillkit_hold' => '' ) ) );
		place_order( array( 'status' => 'cancelled', 'date_paid' => 1763999960, 'meta' => array( '_tillkit_hold' => '1763999950' ) ) );
		same( false, companion_puts( $back, array( '_tillkit_hold' => '' ) ) );
	}
);

test(
	'What people and other programs write over the REST API is not looked at',
	static function () use ( $hold ): void {
		place_order( array( 'status' => 'processing', 'date_paid' => 1763999000 ) );
		same( true, companion_puts( $hold, array() ) );
		same( true, companion_puts( $hold, array( 'colour' => 'blue' ) ) );
		same( 'broken', apply_filters( 'woocommerce_rest_pre_insert_shop_order_object', 'broken', array() ) );
	}
);

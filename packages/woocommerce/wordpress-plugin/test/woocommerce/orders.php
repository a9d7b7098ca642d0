<?php
/** The orders of the fake: one file for all requests of a site. */

defined( 'ABSPATH' ) || exit;

function fake_open_orders(): void {
	Shop_State::$folder = WP_CONTENT_DIR . '/uploads';
	if ( ! is_file( Shop_State::$folder . '/state' ) ) {
		wp_mkdir_p( Shop_State::$folder );
		file_put_contents( Shop_State::$folder . '/state', serialize( array( 'options' => array(), 'orders' => array() ) ) );
	}
}

/** Places an order as a shopper does who chose Tillkit. */
function fake_place_order( array $change = array() ): WC_Order {
	$order = $change + array(
		'id'             => 1042,
		'key'            => 'wc_order_AbC123xyZ',
		'status'         => 'pending',
		'total'          => '5000.00',
		'currency'       => 'XOF',
		'payment_method' => 'tillkit',
		'date_paid'      => null,
		'meta'           => array(),
		'transaction'    => '',
		'title'          => '',
		'notes'          => array(),
		'completed'      => 0,
	);
	Shop_State::change(
		static function ( array $state ) use ( $order ): array {
			$state['orders'][ $order['id'] ] = $order;
			return $state;
		}
	);
	return wc_get_order( $order['id'] );
}

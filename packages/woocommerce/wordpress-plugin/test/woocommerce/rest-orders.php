<?php
/** The routes of WooCommerce's REST API that the plugin calls, with WooCommerce's own check of permissions. */

defined( 'ABSPATH' ) || exit;

function fake_register_orders(): void {
	$routes = array(
		array( '/orders', 'GET', 'read', 'fake_list_orders' ),
		array( '/orders/(?P<id>\d+)', 'GET', 'read', 'fake_read_order' ),
		array( '/orders/(?P<id>\d+)', 'PUT', 'edit', 'fake_change_order' ),
		array( '/orders/(?P<id>\d+)/notes', 'GET', 'read', 'fake_list_notes' ),
		array( '/orders/(?P<id>\d+)/notes', 'POST', 'create', 'fake_add_note' ),
	);
	foreach ( $routes as list( $path, $method, $context, $answer ) ) {
		register_rest_route(
			'wc/v3',
			$path,
			array(
				'methods'             => $method,
				'callback'            => $answer,
				'permission_callback' => static function ( WP_REST_Request $request ) use ( $context ): bool {
					$is_allowed = current_user_can( 'edit_shop_orders' );
					return (bool) apply_filters( 'woocommerce_rest_check_permissions', $is_allowed, $context, (int) $request['id'], 'shop_order' );
				},
			)
		);
	}
}

function fake_list_orders(): WP_REST_Response {
	$orders = array_map( 'fake_order_json', wc_get_orders( array( 'limit' => 10 ) ) );
	return new WP_REST_Response( $orders, 200, array( 'X-WP-TotalPages' => 1 ) );
}

/** @return array|WP_Error */
function fake_read_order( WP_REST_Request $request ) {
	$order = wc_get_order( (int) $request['id'] );
	return $order instanceof WC_Order ? fake_order_json( $order ) : new WP_Error( 'woocommerce_rest_shop_order_invalid_id', 'Invalid ID.', array( 'status' => 404 ) );
}

/** @return array|WP_Error */
function fake_change_order( WP_REST_Request $request ) {
	$order = wc_get_order( (int) $request['id'] );
	if ( ! $order instanceof WC_Order ) {
		return fake_read_order( $request );
	}
	foreach ( (array) $request['meta_data'] as $row ) {
		$order->update_meta_data( $row['key'], $row['value'] );
	}
	$order = apply_filters( 'woocommerce_rest_pre_insert_shop_order_object', $order, $request, false );
	if ( is_wp_error( $order ) ) {
		return $order;
	}
	if ( isset( $request['status'] ) ) {
		$order->set_status( $request['status'] );
	}
	$order->save();
	do_action( 'woocommerce_rest_insert_shop_order_object', $order, $request, false );
	return fake_read_order( $request );
}

function fake_list_notes( WP_REST_Request $request ): array {
	$notes = array();
	foreach ( Shop_State::read()['orders'][ (int) $request['id'] ]['notes'] as $note ) {
		$notes[] = array( 'note' => $note );
	}
	return $notes;
}

function fake_add_note( WP_REST_Request $request ): WP_REST_Response {
	wc_get_order( (int) $request['id'] )->add_order_note( (string) $request['note'] );
	return new WP_REST_Response( array( 'id' => 1 ), 201 );
}

function fake_order_json( WC_Order $order ): array {
	$meta = array();
	foreach ( $order->get_meta_data() as $row ) {
		$meta[] = array(
			'key'   => $row->key,
			'value' => $row->value,
		);
	}
	$paid = $order->get_date_paid();
	return array(
		'id'             => $order->get_id(),
		'number'         => $order->get_order_number(),
		'order_key'      => $order->get_order_key(),
		'status'         => $order->get_status(),
		'currency'       => $order->get_currency(),
		'total'          => $order->get_total(),
		'date_paid_gmt'  => $paid ? gmdate( 'Y-m-d\TH:i:s', $paid->getTimestamp() ) : null,
		'payment_method' => $order->get_payment_method(),
		'transaction_id' => $order->get_transaction_id(),
		'payment_url'    => home_url( '/?order-pay=' . $order->get_id() ),
		'line_items'     => array(
			array(
				'name'     => 'Basket',
				'quantity' => 1,
			),
		),
		'meta_data'      => $meta,
	);
}

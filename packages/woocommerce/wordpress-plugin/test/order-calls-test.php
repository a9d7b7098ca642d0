<?php
/** The signed call through which a checkout server without a REST key uses WooCommerce's routes for orders. */

/**
 * @param array $change Replaces the store, the time or the secret of the signature.
 * @return array{status:int,body:array} The answer to a signed call about orders.
 */
function order_call( array $call, array $change = array() ): array {
	$response = tillkit_answer_order_call( signed_request( 'orders', json_encode( (object) $call ), $change ) );
	return array( 'status' => $response->status, 'body' => $response->data );
}

foreach ( array(
	'read an order'       => array( 'method' => 'GET', 'path' => 'orders/1042' ),
	'list orders'         => array( 'method' => 'GET', 'path' => 'orders', 'query' => array( 'status' => array( 'pending' ), 'page' => 2 ) ),
	'mark an order paid'  => array( 'method' => 'PUT', 'path' => 'orders/1042', 'fields' => array( 'set_paid' => true, 'transaction_id' => 'tx_1', 'meta_data' => array( array( 'key' => '_tillkit_payment_id', 'value' => 'p' ) ) ) ),
	'add a note'          => array( 'method' => 'POST', 'path' => 'orders/1042/notes', 'fields' => array( 'note' => 'Paid', 'customer_note' => false ) ),
	'record a refund'     => array( 'method' => 'POST', 'path' => 'orders/1042/refunds', 'fields' => array( 'amount' => '5', 'api_refund' => false ) ),
	'list refunds'        => array( 'method' => 'GET', 'path' => 'orders/1042/refunds' ),
) as $what => $call ) {
	test(
		"Without a REST key the checkout server can $what",
		static function () use ( $call ): void {
			assert_same( array( 'status' => 200, 'body' => array( 'status' => 200, 'pages' => 3, 'body' => array( 'id' => 1042 ) ) ), order_call( $call ) );
			assert_same( '/wc/v3/' . $call['path'], Stubs::$inside[0]['path'] );
			assert_same( $call['fields'] ?? array(), Stubs::$inside[0]['fields'] );
			assert_same( $call['query'] ?? array(), Stubs::$inside[0]['query'] );
		}
	);
}

foreach ( array(
	'read customers'                    => array( 'method' => 'GET', 'path' => 'customers' ),
	'read settings'                     => array( 'method' => 'GET', 'path' => 'settings/general' ),
	'read a path outside of orders'     => array( 'method' => 'GET', 'path' => 'orders/../customers' ),
	'add a line break to the path'      => array( 'method' => 'GET', 'path' => "orders/1042\n" ),
	'delete an order'                   => array( 'method' => 'DELETE', 'path' => 'orders/1042' ),
	'change many orders at once'        => array( 'method' => 'POST', 'path' => 'orders/batch' ),
	'create an order'                   => array( 'method' => 'POST', 'path' => 'orders' ),
	'change the total of an order'      => array( 'method' => 'PUT', 'path' => 'orders/1042', 'fields' => array( 'line_items' => array() ) ),
	'change the customer of an order'   => array( 'method' => 'PUT', 'path' => 'orders/1042', 'fields' => array( 'customer_id' => 7 ) ),
	'make another gateway refund money' => array( 'method' => 'POST', 'path' => 'orders/1042/refunds', 'fields' => array( 'amount' => '5' ) ),
	'send a list instead of a path'     => array( 'method' => 'GET', 'path' => array( 'orders' ) ),
) as $what => $call ) {
	test(
		"The checkout server cannot $what, and WooCommerce is not asked",
		static function () use ( $call ): void {
			assert_same( 400, order_call( $call )['status'] );
			assert_same( array(), Stubs::$inside );
		}
	);
}

test(
	'A call about orders with another secret is refused before it is read',
	static function (): void {
		assert_same( 401, order_call( array( 'method' => 'GET', 'path' => 'orders/1042' ), array( 'secret' => 'the secret of a stranger, 32 characters long' ) )['status'] );
		assert_same( array(), Stubs::$inside );
	}
);

test(
	'The permission for orders ends with the call, and WooCommerce\'s own API stays closed',
	static function (): void {
		order_call( array( 'method' => 'GET', 'path' => 'orders/1042' ) );
		assert_same( 401, rest_do_request( new WP_REST_Request( 'GET', '/wc/v3/orders/1042' ) )->get_status() );
		assert_same( false, apply_filters( 'woocommerce_rest_check_permissions', false, 'read', 0, 'product' ) );
	}
);

<?php
/** Helpers of the tests: a configured shop, orders, and calls signed like those of the checkout server. */

const SECRET   = 'link secret of the tests, never of a real shop';
const PREVIOUS = 'the link secret before it, never of a real shop';

function open_shop(): void {
	Shop_State::open();
	Stubs::reset();
	update_option( 'permalink_structure', '/%postname%/' );
	update_option( 'home', 'https://shop.example' );
	update_option(
		'woocommerce_tillkit_settings',
		array(
			'enabled'         => 'yes',
			'title'           => 'Mobile money',
			'description'     => 'Pay & come back',
			'checkout_server' => 'https://pay.example',
			'store'           => 'boutique',
			'test'            => 'no',
		)
	);
	update_option( 'tillkit_link_secrets', array( 'current' => SECRET, 'previous' => PREVIOUS ) );
}

function close_shop(): void {
	Shop_State::close();
}

/** The test vectors that the plugin and the checkout server share: those of the bridge, and those of WooCommerce's orders. */
function vectors( string $name ): array {
	$own = __DIR__ . "/../../vectors/$name.json";
	return json_decode( file_get_contents( is_file( $own ) ? $own : TILLKIT_BRIDGE_FOLDER . "/../vectors/$name.json" ), true );
}

/** An order of 5000 F CFA that waits for its payment; $change replaces or adds fields. */
function place_order( array $change = array() ) {
	$order = $change + array(
		'id'             => 1042,
		'key'            => 'wc_order_AbC123xyZ',
		'status'         => 'pending',
		'total'          => '5000.00',
		'currency'       => 'XOF',
		'payment_method' => 'tillkit',
		'date_paid'      => null,
		'meta'           => array(),
	);
	Shop_State::change(
		static function ( array $state ) use ( $order ): array {
			$state['orders'][ $order['id'] ] = $order + array( 'transaction' => '', 'title' => '', 'notes' => array(), 'completed' => 0 );
			return $state;
		}
	);
	return wc_get_order( $order['id'] );
}

/** The order as it is saved, with its meta fields, notes and the number of its completions. */
function stored_order( int $id = 1042 ): array {
	return Shop_State::read()['orders'][ $id ];
}

/** What the checkout server sends to mark the order of place_order() paid. */
function mark_paid_request( array $change = array() ): array {
	return $change + array(
		'order'       => '1042',
		'key'         => 'wc_order_AbC123xyZ',
		'amount'      => '5000.00',
		'currency'    => 'XOF',
		'payment'     => '4b0e9a52-6a0e-4f6e-9d6b-0c8f4f0f9b11',
		'transaction' => 'tx_01',
		'fence'       => 3,
	);
}

/** What the checkout server sends to record a refund of the payment that mark_paid_request() names. */
function record_refund_request( array $change = array() ): array {
	return $change + array(
		'order'      => '1042',
		'key'        => 'wc_order_AbC123xyZ',
		'payment'    => mark_paid_request()['payment'],
		'refund'     => 'rf_01',
		'refund_key' => 'service:' . ( $change['refund'] ?? 'rf_01' ),
		'amount'     => '1500.00',
		'currency'   => 'XOF',
		'reason'     => 'Refunded at the payment service',
	);
}

/** A call signed as by the checkout server. */
function signed_request( string $purpose, string $body, array $change = array() ): WP_REST_Request {
	$options = $change + array( 'store' => 'boutique', 'time' => time(), 'secret' => SECRET );
	$text = "tillkit v1 call\n$purpose\n{$options['store']}\n{$options['time']}\n" . hash( 'sha256', $body );
	return new WP_REST_Request(
		$body,
		array(
			'X-Tillkit-Store'     => $options['store'],
			'X-Tillkit-Time'      => (string) $options['time'],
			'X-Tillkit-Signature' => 'v1.' . hash_hmac( 'sha256', $text, $options['secret'] ),
		)
	);
}

/** Sets the answer of the checkout server to all calls, which are recorded in Stubs::$calls. */
function checkout_server_answers( int $status, $body ): void {
	Stubs::$checkout_server = static function () use ( $status, $body ) {
		return array( 'status' => $status, 'body' => is_string( $body ) ? $body : json_encode( $body ) );
	};
}

/** Sets an error of the checkout server as its answer to all calls. */
function checkout_server_refuses( int $status, string $code, string $message = 'A reason from the checkout server.', array $data = array() ): void {
	checkout_server_answers( $status, array( 'code' => "tillkit_$code", 'message' => $message, 'data' => $data + array( 'status' => $status ) ) );
}

/** What $work prints. */
function output_of( callable $work ): string {
	ob_start();
	try {
		$work();
	} finally {
		$shown = ob_get_clean();
	}
	return $shown;
}

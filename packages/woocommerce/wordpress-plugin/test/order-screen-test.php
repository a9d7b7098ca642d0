<?php
/** The box on the order's page in the admin area: the payments of the order, and the button that checks them now. */

/** The response to the request for the timeline of an order. */
function request_order_box( array $post = array() ): Request_Ended {
	$_POST = $post + array( 'nonce' => 'nonce-of-tillkit_order', 'order' => '1042', 'purpose' => 'status' );
	try {
		do_action( 'wp_ajax_tillkit_order' );
	} catch ( Request_Ended $ended ) {
		return $ended;
	}
	throw new LogicException( 'The request did not end.' );
}

function order_box_html( string $screen, $object ): string {
	do_action( 'add_meta_boxes', $screen, $object );
	return array() === Stubs::$boxes ? '' : output_of( Stubs::$boxes[0]['show'] );
}

test(
	'The order screen has the box for orders stored as posts and in their own tables',
	static function (): void {
		$order = place_order();
		assert_contains( 'Check now', order_box_html( 'shop_order', new WP_Post( 1042 ) ) );
		Stubs::$boxes = array();
		assert_contains( 'data-order="1042"', order_box_html( 'woocommerce_page_wc-orders', $order ) );
		assert_same( array( 'woocommerce_page_wc-orders', 'side', 'high' ), array( Stubs::$boxes[0]['screen'], Stubs::$boxes[0]['context'], Stubs::$boxes[0]['priority'] ) );
		assert_same( array( 'tillkit-admin', 'tillkit-admin' ), Stubs::$scripts );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'Other screens and orders of other payment methods have no box',
	static function (): void {
		place_order( array( 'payment_method' => 'bacs' ) );
		assert_same( '', order_box_html( 'shop_order', new WP_Post( 1042 ) ) );
		assert_same( '', order_box_html( 'post', new WP_Post( 1042 ) ) );
		assert_same( '', order_box_html( 'shop_order', new WP_Post( 7 ) ) );
		assert_same( '', order_box_html( 'dashboard', null ) );
		place_order( array( 'payment_method' => 'bacs', 'meta' => array( '_tillkit_return_url' => 'https://shop.example/' ) ) );
		assert_contains( 'Check now', order_box_html( 'shop_order', new WP_Post( 1042 ) ) );
	}
);

test(
	'The box warns of failed and unconfirmed refunds without a call to the checkout server',
	static function (): void {
		$meta = array( '_tillkit_attention' => 'refund_failed', '_tillkit_unconfirmed_refund' => '{"key":"0123456789","amount":"1500.00","order":"1042"}' );
		$box  = order_box_html( 'shop_order', place_order( array( 'meta' => $meta ) ) );
		assert_contains( 'has failed', $box );
		assert_contains( 'refund of 1 500,00 XOF is not confirmed', $box );
		assert_not_contains( '0123456789', $box );
		Stubs::$boxes = array();
		assert_contains( '&lt;b&gt;new&lt;/b&gt;', order_box_html( 'shop_order', place_order( array( 'meta' => array( '_tillkit_attention' => '<b>new</b>' ) ) ) ) );
	}
);

test(
	'The box shows headline, payments, refunds and timeline',
	static function (): void {
		place_order();
		checkout_server_answers( 200, vectors( 'answers' )['status'] );
		update_option( 'date_format', 'Y-m-d' );
		$html = request_order_box()->body['html'];
		assert_contains( '<strong>5 000 F CFA was paid and the order shows it.</strong>', $html );
		assert_contains( '<p>5 000 F CFA · paid · test</p>', $html );
		assert_contains( '<details class="tillkit-ids"><summary>Details</summary><dl><dt>Transaction</dt><dd><code>tx_01</code>', $html );
		assert_contains( '<p>1 500 F CFA · refunded</p>', $html );
		assert_contains( '<h5>2025-11-24</h5><ul><li>16:00 · Shopper · Pressed pay.</li><li>16:01 · Shop · The order is marked paid.</li></ul>', $html );
		assert_same( 'https://pay.example/bridge/v1/status', Stubs::$calls[0]['url'] );
	}
);

test(
	'A payment whose exact amount nobody knows is shown as paid, under review, with the amount that would be accepted',
	static function (): void {
		place_order();
		$decision = array( 'seen' => 'a', 'accept' => true, 'accept_by_status' => false, 'missing' => null, 'refundable' => null );
		$row      = array( 'state' => 'review', 'amount' => array( 'text' => '5 000 F CFA' ), 'received' => null, 'decision' => $decision );
		checkout_server_answers( 200, array( 'headline' => 'x', 'payments' => array( $row ) ) );
		$html = request_order_box()->body['html'];
		assert_contains( '5 000 F CFA · paid, under review', $html );
		assert_contains( 'Accept 5 000 F CFA', $html );
	}
);

test(
	'The button Check now sends a check call',
	static function (): void {
		place_order();
		checkout_server_answers( 200, vectors( 'answers' )['status'] );
		request_order_box( array( 'purpose' => 'check' ) );
		assert_same( 'https://pay.example/bridge/v1/check', Stubs::$calls[0]['url'] );
		assert_same( 30, Stubs::$calls[0]['timeout'] );
		assert_same( array( 'order', 'key', 'language', 'site' ), array_keys( json_decode( Stubs::$calls[0]['body'], true ) ) );
	}
);

test(
	'Texts of the checkout server cannot inject a script into the administration',
	static function (): void {
		place_order();
		$evil   = '<img src=x onerror=alert(1)>';
		$answer = array(
			'headline'  => $evil,
			'attention' => true,
			'payments'  => array( array( 'state' => $evil, 'environment' => $evil, 'amount' => array( 'text' => $evil ), 'transaction' => $evil, 'difference' => $evil ), 'odd' ),
			'refunds'   => array( array( 'state' => $evil, 'refund' => $evil, 'amount' => $evil ) ),
			'timeline'   => array( array( 'at' => $evil, 'actor' => $evil, 'text' => $evil ), array( 'at' => 1764000000 ), null ),
		);
		checkout_server_answers( 200, $answer );
		$html = request_order_box()->body['html'];
		assert_not_contains( '<img', $html );
		assert_contains( 'notice-warning', $html );
		checkout_server_refuses( 503, 'unavailable', $evil );
		assert_not_contains( '<img', request_order_box()->body['html'] );
		checkout_server_answers( 200, array( 'headline' => array(), 'payments' => 'none', 'timeline' => 7 ) );
		assert_same( 200, request_order_box()->status );
	}
);

test(
	'The box requires a valid nonce and the capability to edit orders',
	static function (): void {
		place_order();
		assert_same( 403, request_order_box( array( 'nonce' => 'guessed' ) )->status );
		Stubs::$capabilities = array( 'read' );
		assert_same( 403, request_order_box()->status );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'The box sends no call for missing orders and for orders of other payment methods',
	static function (): void {
		assert_same( 404, request_order_box()->status );
		place_order( array( 'payment_method' => 'bacs' ) );
		assert_same( 404, request_order_box()->status );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'Each payment in the box leads to the operators’ pages and to the service’s dashboard, where there are any',
	static function (): void {
		place_order();
		$answer = vectors( 'answers' )['status'];
		assert_contains( '"operators_url":null', json_encode( array( 'operators_url' => $answer['payments'][0]['operators_url'] ) ) );
		checkout_server_answers( 200, $answer );
		assert_not_contains( '<a ', request_order_box()->body['html'] );
		$answer['payments'][0]['operators_url'] = 'https://pay.example/operators/payments/4b0e';
		checkout_server_answers( 200, $answer );
		update_option( 'woocommerce_tillkit_settings', array( 'dashboard' => 'https://dash.example/t/{transaction}?tab=1' ) + get_option( 'woocommerce_tillkit_settings' ) );
		$html = request_order_box()->body['html'];
		assert_contains( '<a href="https://pay.example/operators/payments/4b0e" target="_blank" rel="noopener noreferrer">Open in the operators’ pages</a>', $html );
		assert_contains( '<a href="https://dash.example/t/tx_01?tab=1" target="_blank" rel="noopener noreferrer">Open in the service’s dashboard</a>', $html );
		$answer['payments'][0]['operators_url'] = 'javascript:alert(1)';
		checkout_server_answers( 200, $answer );
		assert_not_contains( 'javascript', request_order_box()->body['html'] );
	}
);

test(
	'The transaction at the top of the order is a link to the service’s dashboard once its owner has set the address',
	static function (): void {
		$order = place_order( array( 'transaction' => 'tx/01' ) );
		assert_same( '', ( new Tillkit_Gateway() )->get_transaction_url( $order ) );
		update_option( 'woocommerce_tillkit_settings', array( 'dashboard' => 'https://dash.example/t/{transaction}' ) + get_option( 'woocommerce_tillkit_settings' ) );
		assert_same( 'https://dash.example/t/tx%2F01', ( new Tillkit_Gateway() )->get_transaction_url( $order ) );
	}
);

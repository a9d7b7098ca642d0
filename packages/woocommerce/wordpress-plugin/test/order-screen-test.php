<?php
/** What the browser gets when it asks for an order's story. */
function ask_box( array $post = array() ): Request_Ended {
	$_POST = $post + array( 'nonce' => 'nonce-of-tillkit_order', 'order' => '1042', 'ask' => 'status' );
	try {
		do_action( 'wp_ajax_tillkit_order' );
	} catch ( Request_Ended $ended ) {
		return $ended;
	}
	throw new LogicException( 'The request did not end.' );
}

function shown_box( string $screen, $object ): string {
	do_action( 'add_meta_boxes', $screen, $object );
	return array() === Stubs::$boxes ? '' : output_of( Stubs::$boxes[0]['show'] );
}

test(
	'The order screen has a box, for orders kept as posts and for those in their own tables',
	static function (): void {
		$order = place_order();
		says( 'Check now', shown_box( 'shop_order', new WP_Post( 1042 ) ) );
		Stubs::$boxes = array();
		says( 'data-order="1042"', shown_box( 'woocommerce_page_wc-orders', $order ) );
		same( 'woocommerce_page_wc-orders', Stubs::$boxes[0]['screen'] );
		same( array( 'tillkit-admin', 'tillkit-admin' ), Stubs::$scripts );
		same( array(), Stubs::$calls );
	}
);

test(
	'There is no box on other screens, nor on orders that have nothing to do with us',
	static function (): void {
		place_order( array( 'payment_method' => 'bacs' ) );
		same( '', shown_box( 'shop_order', new WP_Post( 1042 ) ) );
		same( '', shown_box( 'post', new WP_Post( 1042 ) ) );
		same( '', shown_box( 'shop_order', new WP_Post( 7 ) ) );
		same( '', shown_box( 'dashboard', null ) );
		place_order( array( 'payment_method' => 'bacs', 'meta' => array( '_tillkit_return_url' => 'https://shop.example/' ) ) );
		says( 'Check now', shown_box( 'shop_order', new WP_Post( 1042 ) ) );
	}
);

test(
	'The box warns of a failed refund and of one in doubt, before anybody is asked',
	static function (): void {
		$meta = array( '_tillkit_attention' => 'refund_failed', '_tillkit_refund_doubt' => '{"key":"0123456789","amount":"1500.00"}' );
		$box  = shown_box( 'shop_order', place_order( array( 'meta' => $meta ) ) );
		says( 'failed afterwards', $box );
		says( 'a refund of 1500.00 was lost', $box );
		says_not( '0123456789', $box );
		Stubs::$boxes = array();
		says( '&lt;b&gt;new&lt;/b&gt;', shown_box( 'shop_order', place_order( array( 'meta' => array( '_tillkit_attention' => '<b>new</b>' ) ) ) ) );
	}
);

test(
	'The box shows payment, verdict, refunds and history',
	static function (): void {
		place_order();
		companion_answers( 200, vectors( 'answers' )['status'] );
		update_option( 'date_format', 'Y-m-d' );
		$html = ask_box()->body['html'];
		says( '<strong>5 000 F CFA was paid and the order shows it.</strong>', $html );
		says( '5 000 F CFA · paid · test · tx_01', $html );
		says( '1 500 F CFA · given back · rf_01', $html );
		says( '2025-11-24 16:00:00 · Shopper · Pressed pay.', $html );
		same( 'https://pay.example/woo/orders/status', Stubs::$calls[0]['url'] );
	}
);

test(
	'A payment that is looked into is called paid only once money of it was seen',
	static function (): void {
		place_order();
		$row = array( 'state' => 'review', 'amount' => array( 'text' => '5 000 F CFA' ), 'received' => null );
		companion_answers( 200, array( 'headline' => 'x', 'payments' => array( $row ) ) );
		says( '5 000 F CFA · looked into: no money was seen yet', ask_box()->body['html'] );
		companion_answers( 200, array( 'headline' => 'x', 'payments' => array( array( 'received' => array( 'minor' => 5000 ) ) + $row ) ) );
		says( 'paid with a difference', ask_box()->body['html'] );
	}
);

test(
	'Check now reads the payments at the service',
	static function (): void {
		place_order();
		companion_answers( 200, vectors( 'answers' )['status'] );
		ask_box( array( 'ask' => 'check' ) );
		same( 'https://pay.example/woo/orders/check', Stubs::$calls[0]['url'] );
		same( 30, Stubs::$calls[0]['timeout'] );
		same( array( 'order', 'key', 'language' ), array_keys( json_decode( Stubs::$calls[0]['body'], true ) ) );
	}
);

test(
	'Nothing that the companion says can put a script into the administration',
	static function (): void {
		place_order();
		$evil   = '<img src=x onerror=alert(1)>';
		$answer = array(
			'headline'  => $evil,
			'attention' => true,
			'payments'  => array( array( 'state' => $evil, 'environment' => $evil, 'amount' => array( 'text' => $evil ), 'transaction' => $evil, 'difference' => $evil ), 'odd' ),
			'refunds'   => array( array( 'state' => $evil, 'refund' => $evil, 'amount' => $evil ) ),
			'history'   => array( array( 'at' => $evil, 'who' => $evil, 'text' => $evil ), array( 'at' => 1764000000 ), null ),
		);
		companion_answers( 200, $answer );
		$html = ask_box()->body['html'];
		says_not( '<img', $html );
		says( 'notice-warning', $html );
		companion_refuses( 503, 'unavailable', $evil );
		says_not( '<img', ask_box()->body['html'] );
		companion_answers( 200, array( 'headline' => array(), 'payments' => 'none', 'history' => 7 ) );
		same( 200, ask_box()->status );
	}
);

test(
	'Only who may edit orders, and comes from the order screen, learns of payments',
	static function (): void {
		place_order();
		same( 403, ask_box( array( 'nonce' => 'guessed' ) )->status );
		Stubs::$capabilities = array( 'read' );
		same( 403, ask_box()->status );
		same( array(), Stubs::$calls );
	}
);

test(
	'Of an order that is not there, or not ours, nobody is asked',
	static function (): void {
		same( 404, ask_box()->status );
		place_order( array( 'payment_method' => 'bacs' ) );
		same( 404, ask_box()->status );
		same( array(), Stubs::$calls );
	}
);

<?php
/**
 * php screens.php FOLDER METHOD PATH BODY: answers one request to the shop whose database is in FOLDER. The plugin renders the
 * pages in a plain frame. Its calls to https://pay.example.com go to the checkout server at TILLKIT_CHECKOUT_SERVER.
 */

require __DIR__ . '/stubs/load.php';
require __DIR__ . '/fixture.php';
require __DIR__ . '/http-client.php';

Shop_State::$folder     = $argv[1];
Stubs::$decimals        = 0;
Stubs::$checkout_server = static function ( string $url, array $options ): array {
	return send_over_http( str_replace( 'https://pay.example.com', getenv( 'TILLKIT_CHECKOUT_SERVER' ), $url ), $options );
};

/** @return array{0:string,1:string} Title and body of the page. */
function render_page( string $path ): array {
	$order = wc_get_order( (int) array_key_first( Shop_State::read()['orders'] ) );
	switch ( $path ) {
		case '/wp-admin/settings':
			return array( 'Settings', '<h1>Tillkit</h1>' . output_of( array( new Tillkit_Gateway(), 'admin_options' ) ) );
		case '/wp-admin/order':
			do_action( 'add_meta_boxes', wc_get_page_screen_id( 'shop-order' ), $order );
			$box = Stubs::$boxes[0];
			return array( $box['title'], '<div class="postbox"><h2>' . esc_html( $box['title'] ) . '</h2>' . output_of( $box['show'] ) . '</div>' );
		case '/checkout/':
			return array( 'Checkout', render_checkout( $order ) );
		case "/checkout/order-pay/{$order->get_id()}/":
			return array( 'Pay for order', render_pay_page( $order ) );
	}
	$title  = apply_filters( 'woocommerce_thankyou_order_received_title', 'Order received', $order );
	$text   = apply_filters( 'woocommerce_thankyou_order_received_text', 'Thank you. Your order has been received.', $order );
	$notice = output_of(
		static function () use ( $order ): void {
			do_action( 'woocommerce_before_thankyou', $order->get_id() );
		}
	);
	return array( $title, "<h1>$title</h1>$notice<p>$text</p>" . order_rows( $order ) );
}

/** The parts of the page where an order is paid: what hangs above the form, and the form with the id that WooCommerce gives it. */
function render_pay_page( WC_Order $order ): string {
	Stubs::$query_vars = array( 'order-pay' => (string) $order->get_id() );
	$_GET['key']       = $order->get_order_key();
	$notice            = output_of(
		static function (): void {
			do_action( 'before_woocommerce_pay' );
		}
	);
	$title = esc_html( ( new Tillkit_Gateway() )->get_title() );
	return "<h1>Pay for order</h1>$notice" . order_rows( $order ) . "<form id=\"order_review\"><p><label><input type=\"radio\" checked /> $title</label></p><p><button type=\"button\" class=\"place\">Pay for order</button></p></form>";
}

function order_rows( WC_Order $order ): string {
	return '<dl><dt>Order</dt><dd>' . $order->get_order_number() . '</dd><dt>Total</dt><dd>' . esc_html( tillkit_host()->price_text( (string) $order->get_total(), (string) $order->get_currency() ) ) . '</dd></dl>';
}

/** The parts of the block checkout that show a payment method. */
function render_checkout( WC_Order $order ): string {
	require_once __DIR__ . '/../tillkit-checkout/checkout/class-tillkit-blocks-method.php';
	$method = new Tillkit_Blocks_Method();
	$method->initialize();
	$method->get_payment_method_script_handles();
	$data = json_encode( $method->get_payment_method_data() );
	$pay  = ( new Tillkit_Gateway() )->process_payment( $order->get_id() )['redirect'];
	return "<script>const tillkitData = $data;</script><script src=\"/blocks-host.js\"></script>"
		. '<h1>Checkout</h1><dl><dt>1 × Basket</dt><dd>' . esc_html( tillkit_host()->price_text( (string) $order->get_total(), (string) $order->get_currency() ) ) . '</dd></dl>'
		. '<h2>Payment options</h2><div id="methods"></div><p><a class="place" href="' . esc_url( $pay ) . '">Place order</a></p>';
}

/** The tags of the scripts and styles that the plugin has enqueued. */
function script_tags(): string {
	$files = array( 'tillkit-admin' => 'bridge/order-panel/buttons.js', 'tillkit-wait' => 'bridge/shopper/wait.js', 'tillkit-blocks' => 'checkout/blocks.js' );
	$tags  = '';
	foreach ( array_unique( Stubs::$scripts ) as $name ) {
		$tags .= '<script src="' . plugins_url( $files[ $name ], '' ) . '"></script>';
	}
	$styles = array( 'tillkit-admin' => 'settings/admin.css', 'tillkit-order-box' => 'bridge/order-panel/order-panel.css', 'tillkit-notice' => 'bridge/shopper/notice.css' );
	foreach ( array_unique( Stubs::$styles ) as $name ) {
		$tags .= '<link rel="stylesheet" href="' . plugins_url( $styles[ $name ], '' ) . '">';
	}
	return $tags;
}

/** @return array{status:int,type:string,body:string} */
function answer_call( string $path, string $body ): array {
	if ( '/wp-admin/admin-ajax.php' !== $path ) {
		do_action( 'rest_api_init' );
		$answer = $GLOBALS['routes'][ substr( $path, strlen( '/wp-json/' ) ) ]['callback']( new WP_REST_Request( $body ) );
		return array( 'status' => $answer->status, 'type' => 'application/json', 'body' => json_encode( $answer->data ) );
	}
	parse_str( $body, $_POST );
	Stubs::$is_admin = true;
	try {
		do_action( 'wp_ajax_' . $_POST['action'] );
	} catch ( Request_Ended $ended ) {
		return array( 'status' => $ended->status, 'type' => 'application/json', 'body' => json_encode( $ended->body ) );
	}
	return array( 'status' => 400, 'type' => 'text/plain', 'body' => '0' );
}

list( , , $method, $path, $body ) = $argv;
if ( 'POST' === $method ) {
	echo json_encode( answer_call( $path, $body ) );
	return;
}
list( $title, $content ) = render_page( $path );
$frame = 0 === strpos( $path, '/wp-admin/' ) ? 'admin' : 'shop';
$html  = '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>' . esc_html( $title ) . '</title>'
	. '<link rel="stylesheet" href="/frame.css"></head><body class="' . $frame . '"><main>' . $content . '</main>' . script_tags() . '</body></html>';
echo json_encode( array( 'status' => 200, 'type' => 'text/html; charset=utf-8', 'body' => $html ) );

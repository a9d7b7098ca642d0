<?php
/** The payment status on the thank-you page, which polls until the payment has arrived. */

defined( 'ABSPATH' ) || exit;

/** WooCommerce has verified the order key before it shows this page. */
function tillkit_show_payment_status( $order_id ): void {
	$order = wc_get_order( $order_id );
	if ( ! $order instanceof WC_Order ) {
		return;
	}
	$state = tillkit_shopper_status_from_order( $order ) ?? 'waiting';
	echo '<section class="tillkit-wait" id="tillkit-wait"';
	if ( 'waiting' === $state ) {
		wp_enqueue_script( 'tillkit-wait', plugins_url( 'checkout/wait.js', TILLKIT_PLUGIN_FILE ), array(), TILLKIT_VERSION, true );
		printf(
			' data-url="%s" data-order="%s" data-key="%s" data-timeout-text="%s"',
			esc_url( rest_url( 'tillkit/v1/wait' ) ),
			esc_attr( (string) $order->get_id() ),
			esc_attr( $order->get_order_key() ),
			esc_attr__( 'This takes longer than usual. You will get an e-mail when the payment is confirmed. You can close this page.', 'tillkit-checkout' )
		);
	}
	echo '><p role="status" aria-live="polite">' . esc_html( tillkit_shopper_status_text( $state ) ) . '</p>';
	printf( '<p hidden><a href="%s">%s</a></p>', esc_url( $order->get_checkout_payment_url() ), esc_html__( 'Pay again', 'tillkit-checkout' ) );
	if ( 'waiting' === $state ) {
		printf( '<noscript><p><a href="%s">%s</a></p></noscript>', esc_url( $order->get_checkout_order_received_url() ), esc_html__( 'Check again', 'tillkit-checkout' ) );
	}
	echo '</section>';
}

function tillkit_shopper_status_text( string $state ): string {
	$texts = array(
		'waiting'        => __( 'We are waiting for the confirmation of your payment.', 'tillkit-checkout' ),
		'paid'           => __( 'Your payment has arrived. Thank you!', 'tillkit-checkout' ),
		'paid_otherwise' => __( 'The shop has marked your order as paid. Thank you!', 'tillkit-checkout' ),
		'held'           => __( 'Your payment has arrived. The shop is checking your order and will get back to you.', 'tillkit-checkout' ),
		'not_completed'  => __( 'This payment was not completed.', 'tillkit-checkout' ),
		'refunding'      => __( 'Your payment is being refunded.', 'tillkit-checkout' ),
		'refunded'       => __( 'Your payment was refunded.', 'tillkit-checkout' ),
	);
	return $texts[ $state ];
}

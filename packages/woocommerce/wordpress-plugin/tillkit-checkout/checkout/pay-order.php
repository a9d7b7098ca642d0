<?php
/** Sends a shopper to the hosted page. No outbound call: a slow companion never makes the checkout slow. */

defined( 'ABSPATH' ) || exit;

/** A pay link is good for so many seconds. */
const TILLKIT_LINK_LIFE = 7200;

/** So many seconds an order is kept open for a shopper who was sent to pay. */
const TILLKIT_OPEN_LIFE = 10800;

/** Null when no link can be made, for instance because another plugin gave the order a key of its own form. */
function tillkit_link_of( WC_Order $order, int $now ): ?string {
	$settings = tillkit_settings();
	if ( ! tillkit_is_configured() ) {
		return null;
	}
	$link = array(
		'store'    => $settings['store'],
		'order'    => (string) $order->get_id(),
		'key'      => (string) $order->get_order_key(),
		'amount'   => tillkit_total_text( $order ),
		'currency' => (string) $order->get_currency(),
		'exp'      => (string) ( $now + TILLKIT_LINK_LIFE ),
	);
	return tillkit_pay_link( $settings['companion'], $link, $settings['secrets'][0] );
}

/** The order's total exactly as WooCommerce's REST API tells it. */
function tillkit_total_text( WC_Order $order ): string {
	return (string) wc_format_decimal( $order->get_total(), wc_get_price_decimals() );
}

/** What the companion reads from the order: where the shopper goes back to, and in which language. */
function tillkit_note_way_back( WC_Order $order, string $return_url, int $now ): void {
	$open_until = max( $now + TILLKIT_OPEN_LIFE, (int) $order->get_meta( '_tillkit_open_until' ) );
	$order->update_meta_data( '_tillkit_return_url', $return_url );
	$order->update_meta_data( '_tillkit_cancel_url', $order->get_checkout_payment_url() );
	$order->update_meta_data( '_tillkit_language', tillkit_language() );
	$order->update_meta_data( '_tillkit_open_until', (string) $open_until );
	$order->save();
}

<?php
/** Redirects a shopper to the hosted page, without an outbound request: a slow checkout server never slows the checkout. */

defined( 'ABSPATH' ) || exit;

/** The lifetime of a pay link. */
const TILLKIT_LINK_LIFETIME_SECONDS = 7200;

/** How long an order is protected from cancellation after its shopper was redirected. */
const TILLKIT_OPEN_SECONDS = 10800;

/** Null if no link can be made, for instance because another plugin has set an order key with characters that a link must not contain. */
function tillkit_pay_link_for_order( WC_Order $order, int $now ): ?string {
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
		'exp'      => (string) ( $now + TILLKIT_LINK_LIFETIME_SECONDS ),
	);
	return tillkit_pay_link( $settings['checkout_server'], $link, $settings['secrets'][0] );
}

function tillkit_total_text( WC_Order $order ): string {
	return tillkit_exact_amount( $order->get_total(), (string) $order->get_currency() );
}

/**
 * Proves that these addresses are the shop's own: a shop may have a domain for each language, and any other plugin can write the meta of an
 * order. Empty for an address with a control character.
 */
function tillkit_sign_return( WC_Order $order, string $return_url, string $cancel_url ): string {
	if ( preg_match( '/[\x00-\x1f\x7f]/', $return_url . $cancel_url ) ) {
		return '';
	}
	$settings = tillkit_settings();
	return tillkit_sign( array( 'tillkit v1 return', $settings['store'], (string) $order->get_id(), $return_url, $cancel_url ), $settings['secrets'][0] );
}

/** Saves the meta that the checkout server reads: the return addresses, the language and the protection from cancellation. */
function tillkit_save_return_meta( WC_Order $order, string $return_url, int $now ): void {
	$open_until = max( $now + TILLKIT_OPEN_SECONDS, (int) $order->get_meta( '_tillkit_open_until' ) );
	$cancel_url = $order->get_checkout_payment_url();
	$order->update_meta_data( '_tillkit_return_url', $return_url );
	$order->update_meta_data( '_tillkit_cancel_url', $cancel_url );
	$order->update_meta_data( '_tillkit_return_sig', tillkit_sign_return( $order, $return_url, $cancel_url ) );
	$order->update_meta_data( '_tillkit_language', tillkit_language() );
	$order->update_meta_data( '_tillkit_open_until', (string) $open_until );
	// A failed order tells its shopper on the thank-you page not to wait, also while the next payment is on its way.
	if ( 'failed' === $order->get_status() ) {
		$order->set_status( 'pending' );
	}
	$order->save();
	tillkit_forget_shopper_status( $order );
}

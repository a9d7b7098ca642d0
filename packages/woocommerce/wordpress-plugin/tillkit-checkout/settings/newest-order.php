<?php
/** The order whose total the health panel checks, and how the shop shows an amount. */

defined( 'ABSPATH' ) || exit;

function tillkit_newest_order(): ?Tillkit_Order {
	$found = wc_get_orders(
		array(
			'type'    => 'shop_order',
			'limit'   => 10,
			'orderby' => 'date',
			'order'   => 'DESC',
		)
	);
	foreach ( $found as $order ) {
		if ( $order instanceof WC_Order && (float) $order->get_total() > 0 ) {
			return tillkit_order( $order );
		}
	}
	return null;
}

/** An amount as the shop displays it. */
function tillkit_shown_price( string $amount, string $currency ): string {
	$plain = wp_strip_all_tags( wc_price( $amount, array( 'currency' => $currency ) ) );
	return html_entity_decode( $plain, ENT_QUOTES, 'UTF-8' );
}

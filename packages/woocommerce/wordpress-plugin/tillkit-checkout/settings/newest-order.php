<?php
/** The newest order, whose total the health panel checks. */

defined( 'ABSPATH' ) || exit;

function tillkit_newest_order(): ?WC_Order {
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
			return $order;
		}
	}
	return null;
}

/** @return array{amount:string,currency:string}|array{} */
function tillkit_newest_amount( ?WC_Order $order ): array {
	return null === $order ? array() : array(
		'amount'   => tillkit_total_text( $order ),
		'currency' => (string) $order->get_currency(),
	);
}

/** The total as the shop displays it. */
function tillkit_shown_total( WC_Order $order ): string {
	$plain = wp_strip_all_tags( wc_price( $order->get_total(), array( 'currency' => $order->get_currency() ) ) );
	return html_entity_decode( $plain, ENT_QUOTES, 'UTF-8' );
}

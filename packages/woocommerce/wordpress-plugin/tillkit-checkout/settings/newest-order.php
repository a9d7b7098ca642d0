<?php
/** The order whose total the health panel checks. */

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

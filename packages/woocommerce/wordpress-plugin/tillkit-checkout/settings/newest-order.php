<?php
/** The amount that the health panel checks: the total of the newest order, or an example before the first order exists. */

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

/** The example of euros and dollars has cents, which make a wrong factor of 100 visible. */
const TILLKIT_EXAMPLE_AMOUNTS = array(
	'XOF' => '5000',
	'EUR' => '19.99',
	'USD' => '19.99',
);

/** @return array{amount:string,currency:string} */
function tillkit_amount_to_check( ?WC_Order $order ): array {
	$currency = null === $order ? (string) get_woocommerce_currency() : (string) $order->get_currency();
	return array(
		'amount'   => null === $order ? (string) wc_format_decimal( TILLKIT_EXAMPLE_AMOUNTS[ $currency ] ?? '19.99', wc_get_price_decimals() ) : tillkit_total_text( $order ),
		'currency' => $currency,
	);
}

/** The total as the shop displays it. */
function tillkit_shown_total( WC_Order $order ): string {
	return tillkit_shown_price( (string) $order->get_total(), (string) $order->get_currency() );
}

function tillkit_shown_price( string $amount, string $currency ): string {
	$plain = wp_strip_all_tags( wc_price( $amount, array( 'currency' => $currency ) ) );
	return html_entity_decode( $plain, ENT_QUOTES, 'UTF-8' );
}

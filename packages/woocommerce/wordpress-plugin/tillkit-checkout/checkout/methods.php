<?php
/** The payment methods of the hosted page, and their icons. */

defined( 'ABSPATH' ) || exit;

/** @return array<string,string> Name of the icon => its alternative text. */
function tillkit_methods(): array {
	return array(
		'mobile-money' => __( 'Mobile money', 'tillkit-checkout' ),
		'card'         => __( 'Card', 'tillkit-checkout' ),
	);
}

/**
 * The icons that the owner has selected and whose methods take the currency.
 *
 * @param string|null $only The icon of this method only.
 * @return array<int,array{id:string,src:string,alt:string}>
 */
function tillkit_method_icons( ?string $only = null ): array {
	$icons    = array();
	$shown    = tillkit_settings()['methods'];
	$currency = tillkit_page_currency();
	foreach ( tillkit_methods() as $id => $alt ) {
		$is_wanted = null === $only || $only === $id;
		if ( $is_wanted && in_array( $id, $shown, true ) && tillkit_takes_currency( $id, $currency ) ) {
			$src     = plugins_url( "icons/$id.svg", TILLKIT_PLUGIN_FILE );
			$icons[] = compact( 'id', 'src', 'alt' );
		}
	}
	return $icons;
}

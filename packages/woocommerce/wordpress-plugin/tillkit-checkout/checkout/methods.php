<?php
/** The ways to pay that the hosted page offers, and their pictures. */

defined( 'ABSPATH' ) || exit;

/** @return array<string,string> Name of the picture => what a screen reader says. */
function tillkit_methods(): array {
	return array(
		'mobile-money' => __( 'Mobile money', 'tillkit-checkout' ),
		'card'         => __( 'Card', 'tillkit-checkout' ),
	);
}

/** @return array<int,array{id:string,src:string,alt:string}> Of the methods that the owner shows. */
function tillkit_method_icons(): array {
	$icons = array();
	$shown = tillkit_settings()['methods'];
	foreach ( tillkit_methods() as $id => $alt ) {
		if ( in_array( $id, $shown, true ) ) {
			$src     = plugins_url( "icons/$id.svg", TILLKIT_PLUGIN_FILE );
			$icons[] = compact( 'id', 'src', 'alt' );
		}
	}
	return $icons;
}

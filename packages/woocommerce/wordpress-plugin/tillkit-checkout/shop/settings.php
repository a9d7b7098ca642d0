<?php
/** The owner's settings, as WooCommerce stores them with the gateway. */

defined( 'ABSPATH' ) || exit;

/** @return array{enabled:bool,checkout_server:string,store:string,dashboard:string,owner_pages:bool,separate:bool,test:bool,methods:string[],log:bool} */
function tillkit_settings(): array {
	$saved = (array) get_option( 'woocommerce_tillkit_settings', array() );
	$text  = static function ( string $name ) use ( $saved ): string {
		return isset( $saved[ $name ] ) && is_string( $saved[ $name ] ) ? $saved[ $name ] : '';
	};
	return array(
		'enabled'         => 'yes' === $text( 'enabled' ),
		'checkout_server' => $text( 'checkout_server' ),
		'store'           => $text( 'store' ),
		'dashboard'       => $text( 'dashboard' ),
		'owner_pages'     => 'yes' === $text( 'owner_pages' ),
		'separate'        => 'yes' === $text( 'separate' ),
		'test'            => 'yes' === $text( 'test' ),
		'log'             => 'yes' === $text( 'log' ),
		// WooCommerce stores an empty string when the owner removes all icons.
		'methods'         => isset( $saved['methods'] ) ? array_filter( (array) $saved['methods'] ) : array_keys( tillkit_methods() ),
	);
}

/** The address of the site as its owner set it: other plugins let home_url() answer with the domain of a language. */
function tillkit_site_address(): string {
	if ( defined( 'WP_HOME' ) ) {
		return (string) WP_HOME;
	}
	$stored = wp_load_alloptions();
	return (string) ( $stored['home'] ?? get_option( 'home' ) );
}

/** The language of the current page: the shopper's in the shop, the owner's in the administration. */
function tillkit_language(): string {
	return 0 === strpos( determine_locale(), 'fr' ) ? 'fr' : 'en';
}

<?php
/** The owner's settings. */

defined( 'ABSPATH' ) || exit;

/** The option with the link secrets. They are stored apart from the gateway's settings, because WooCommerce's API returns those. */
const TILLKIT_SECRETS_OPTION = 'tillkit_link_secrets';

/** @return array{enabled:bool,checkout_server:string,store:string,secrets:string[],dashboard:string,separate:bool,test:bool,methods:string[],log:bool} */
function tillkit_settings(): array {
	$saved = (array) get_option( 'woocommerce_tillkit_settings', array() );
	$text  = static function ( string $name ) use ( $saved ): string {
		return isset( $saved[ $name ] ) && is_string( $saved[ $name ] ) ? $saved[ $name ] : '';
	};
	return array(
		'enabled'         => 'yes' === $text( 'enabled' ),
		'checkout_server' => $text( 'checkout_server' ),
		'store'           => $text( 'store' ),
		'secrets'         => tillkit_link_secrets(),
		'dashboard'       => $text( 'dashboard' ),
		'separate'        => 'yes' === $text( 'separate' ),
		'test'            => 'yes' === $text( 'test' ),
		'log'             => 'yes' === $text( 'log' ),
		// WooCommerce stores an empty string when the owner removes all icons.
		'methods'         => isset( $saved['methods'] ) ? array_filter( (array) $saved['methods'] ) : array_keys( tillkit_methods() ),
	);
}

/** @return string[] The current secret first. Secrets that are too short are ignored. */
function tillkit_link_secrets(): array {
	$stored = (array) get_option( TILLKIT_SECRETS_OPTION, array() );
	$both   = array( $stored['current'] ?? '', $stored['previous'] ?? '' );
	return array_values(
		array_filter(
			$both,
			static function ( $secret ): bool {
				return is_string( $secret ) && strlen( $secret ) >= 32;
			}
		)
	);
}

/** The option with the environment of the checkout server's key: `test` or `live`. */
const TILLKIT_ENVIRONMENT_OPTION = 'tillkit_environment';

/** Owners who go live forget the test badge: what the checkout server says of its key ends it. */
function tillkit_remember_environment( string $environment ): void {
	if ( in_array( $environment, array( 'test', 'live' ), true ) && get_option( TILLKIT_ENVIRONMENT_OPTION ) !== $environment ) {
		update_option( TILLKIT_ENVIRONMENT_OPTION, $environment );
	}
}

/** Whether shoppers are told that no real money moves. */
function tillkit_has_test_badge(): bool {
	return tillkit_settings()['test'] && 'live' !== get_option( TILLKIT_ENVIRONMENT_OPTION );
}

/** Whether shoppers can be redirected to the checkout server. */
function tillkit_is_configured(): bool {
	$settings = tillkit_settings();
	return '' !== $settings['checkout_server'] && '' !== $settings['store'] && array() !== $settings['secrets'];
}

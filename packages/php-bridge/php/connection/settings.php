<?php
/** What both sides agreed on when the shop was connected: the link secrets, and what they say of the connection. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** @return string[] The current secret first. Secrets that are too short are ignored. */
function tillkit_link_secrets(): array {
	$stored = (array) tillkit_host()->load( 'link_secrets' );
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

/**
 * The previous secret stays valid until the owner removes it.
 *
 * @param string $secret          An empty text keeps the secret.
 * @param bool   $remove_previous Whether the previous secret becomes invalid.
 * @return true|Tillkit_Error
 */
function tillkit_change_link_secret( string $secret, bool $remove_previous ) {
	if ( '' !== $secret && ( strlen( $secret ) < 32 || preg_match( '/[\x00-\x1f\x7f]/', $secret ) ) ) {
		return new Tillkit_Error( 'tillkit_link_secret', tillkit_text( 'The link secret must have 32 characters or more.' ) );
	}
	$stored   = tillkit_link_secrets();
	$current  = $stored[0] ?? '';
	$previous = $stored[1] ?? '';
	if ( '' !== $secret && $secret !== $current ) {
		tillkit_save_link_secrets( $secret, $current );
	} elseif ( $remove_previous && '' !== $previous ) {
		tillkit_save_link_secrets( $current, '' );
	}
	return true;
}

function tillkit_save_link_secrets( string $current, string $previous ): void {
	tillkit_host()->save( 'link_secrets', compact( 'current', 'previous' ) );
}

/** Owners who go live forget the test badge: what the checkout server says of its key ends it. */
function tillkit_remember_environment( string $environment ): void {
	if ( in_array( $environment, array( 'test', 'live' ), true ) && tillkit_host()->load( 'environment' ) !== $environment ) {
		tillkit_host()->save( 'environment', $environment );
	}
}

/** Whether shoppers are told that no real money moves. */
function tillkit_has_test_badge(): bool {
	return tillkit_host()->settings()['test'] && 'live' !== tillkit_host()->load( 'environment' );
}

/** Whether shoppers can be redirected to the checkout server. */
function tillkit_is_configured(): bool {
	$settings = tillkit_host()->settings();
	return '' !== $settings['checkout_server'] && '' !== $settings['store'] && array() !== tillkit_link_secrets();
}

/** Whether the checkout server, when it connected the shop, said that it has pages for owners. */
function tillkit_has_owner_pages(): bool {
	return tillkit_is_configured() && tillkit_host()->settings()['owner_pages'];
}

<?php
/** Rotation of the link secret: the previous secret stays valid until the owner removes it. */

defined( 'ABSPATH' ) || exit;

/**
 * @param string $secret          An empty text keeps the secret.
 * @param bool   $remove_previous Whether the previous secret becomes invalid.
 * @return true|WP_Error
 */
function tillkit_change_link_secret( string $secret, bool $remove_previous ) {
	if ( '' !== $secret && ( strlen( $secret ) < 32 || preg_match( '/[\x00-\x1f\x7f]/', $secret ) ) ) {
		return new WP_Error( 'tillkit_link_secret', __( 'The link secret must have 32 characters or more.', 'tillkit-checkout' ) );
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
	update_option( TILLKIT_SECRETS_OPTION, compact( 'current', 'previous' ), false );
}

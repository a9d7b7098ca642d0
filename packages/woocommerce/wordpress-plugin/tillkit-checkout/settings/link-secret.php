<?php
/** Changing the link secret without losing a link: the one before it counts on, until the owner forgets it. */

defined( 'ABSPATH' ) || exit;

/**
 * @param string $typed  Empty leaves the secret as it is.
 * @param bool   $forget Whether the previous one ends here.
 * @return true|WP_Error
 */
function tillkit_change_link_secret( string $typed, bool $forget ) {
	if ( '' !== $typed && ( strlen( $typed ) < 32 || preg_match( '/[\x00-\x1f\x7f]/', $typed ) ) ) {
		return new WP_Error( 'tillkit_link_secret', __( 'The link secret must have 32 characters or more.', 'tillkit-checkout' ) );
	}
	$kept     = tillkit_link_secrets();
	$current  = $kept[0] ?? '';
	$previous = $kept[1] ?? '';
	if ( '' !== $typed && $typed !== $current ) {
		tillkit_keep_link_secrets( $typed, $current );
	} elseif ( $forget && '' !== $previous ) {
		tillkit_keep_link_secrets( $current, '' );
	}
	return true;
}

function tillkit_keep_link_secrets( string $current, string $previous ): void {
	update_option( TILLKIT_SECRETS_OPTION, compact( 'current', 'previous' ), false );
}

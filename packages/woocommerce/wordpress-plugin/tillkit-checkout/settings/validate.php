<?php
/** Mistakes in the settings, each with one clear sentence. */

defined( 'ABSPATH' ) || exit;

/** @return string|WP_Error The address without a slash at the end; empty is allowed, and hides the payment method. */
function tillkit_read_companion( string $typed ) {
	$url   = rtrim( $typed, '/' );
	$parts = wp_parse_url( $url );
	if ( '' === $url ) {
		return '';
	}
	if ( ! is_array( $parts ) || empty( $parts['host'] ) || empty( $parts['scheme'] ) || preg_match( '/[\s<>"\\\\\x00-\x1f]/', $url ) ) {
		return new WP_Error( 'tillkit_companion', __( 'The companion’s address must look like https://pay.example.com', 'tillkit-checkout' ) );
	}
	if ( array() !== array_intersect( array_keys( $parts ), array( 'user', 'pass', 'query', 'fragment' ) ) ) {
		return new WP_Error( 'tillkit_companion', __( 'The companion’s address must have no name, password, question mark or hash sign in it.', 'tillkit-checkout' ) );
	}
	$here = in_array( $parts['host'], array( 'localhost', '127.0.0.1', '[::1]' ), true );
	if ( 'https' !== $parts['scheme'] && ! ( $here && 'http' === $parts['scheme'] ) ) {
		return new WP_Error( 'tillkit_companion', __( 'The companion’s address must begin with https://', 'tillkit-checkout' ) );
	}
	return $url;
}

/** @return string|WP_Error */
function tillkit_read_store( string $typed ) {
	if ( '' === $typed || preg_match( '/^[A-Za-z0-9_-]{1,64}\z/', $typed ) ) {
		return $typed;
	}
	return new WP_Error( 'tillkit_store', __( 'The store id has letters, digits, hyphens and underscores only, 64 at most.', 'tillkit-checkout' ) );
}

/** Shows a mistake above the settings; anything else is none. */
function tillkit_tell_mistake( $read ): void {
	if ( is_wp_error( $read ) ) {
		WC_Admin_Settings::add_error( $read->get_error_message() );
	}
}

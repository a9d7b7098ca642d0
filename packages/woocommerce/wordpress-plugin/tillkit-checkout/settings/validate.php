<?php
/** Validation of the settings. Each error is one sentence. */

defined( 'ABSPATH' ) || exit;

/** @return string|WP_Error The address without a trailing slash. An empty address is allowed and hides the payment method. */
function tillkit_validate_checkout_server_url( string $input ) {
	$url   = rtrim( $input, '/' );
	$parts = wp_parse_url( $url );
	if ( '' === $url ) {
		return '';
	}
	if ( ! is_array( $parts ) || empty( $parts['host'] ) || empty( $parts['scheme'] ) || preg_match( '/[\s<>"\\\\\x00-\x1f]/', $url ) ) {
		return new WP_Error( 'tillkit_checkout_server', __( 'The checkout server address must look like https://pay.example.com', 'tillkit-checkout' ) );
	}
	if ( array() !== array_intersect( array_keys( $parts ), array( 'user', 'pass', 'query', 'fragment' ) ) ) {
		return new WP_Error( 'tillkit_checkout_server', __( 'The checkout server address must not contain a user name, a password, a question mark or a hash sign.', 'tillkit-checkout' ) );
	}
	$is_local = 1 === preg_match( '/^(localhost|\[::1\]|127(\.\d{1,3}){3})\z/', $parts['host'] );
	if ( 'https' !== $parts['scheme'] && ! ( $is_local && 'http' === $parts['scheme'] ) ) {
		return new WP_Error( 'tillkit_checkout_server', __( 'The checkout server address must begin with https://', 'tillkit-checkout' ) );
	}
	return $url;
}

/** @return string|WP_Error */
function tillkit_validate_store_id( string $input ) {
	if ( '' === $input || preg_match( '/^[A-Za-z0-9_-]{1,64}\z/', $input ) ) {
		return $input;
	}
	return new WP_Error( 'tillkit_store', __( 'The store id can contain only letters, digits, hyphens and underscores, 64 at most.', 'tillkit-checkout' ) );
}

/** Shows an error above the settings; other values are ignored. */
function tillkit_show_settings_error( $value ): void {
	if ( is_wp_error( $value ) ) {
		WC_Admin_Settings::add_error( $value->get_error_message() );
	}
}

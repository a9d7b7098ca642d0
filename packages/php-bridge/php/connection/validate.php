<?php
/** Validation of the settings. Each error is one sentence. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** @return string|Tillkit_Error The address without a trailing slash. An empty address is allowed and hides the payment method. */
function tillkit_validate_checkout_server_url( string $input ) {
	$url   = rtrim( $input, '/' );
	$parts = tillkit_url_parts( $url );
	if ( '' === $url ) {
		return '';
	}
	if ( empty( $parts['host'] ) || empty( $parts['scheme'] ) || preg_match( '/[\s<>"\\\\\x00-\x1f]/', $url ) ) {
		return new Tillkit_Error( 'tillkit_checkout_server', tillkit_text( 'The checkout server address must look like https://pay.example.com' ) );
	}
	if ( array() !== array_intersect( array_keys( $parts ), array( 'user', 'pass', 'query', 'fragment' ) ) ) {
		return new Tillkit_Error( 'tillkit_checkout_server', tillkit_text( 'The checkout server address must not contain a user name, a password, a question mark or a hash sign.' ) );
	}
	$is_local = 1 === preg_match( '/^(localhost|\[::1\]|127(\.\d{1,3}){3})\z/', $parts['host'] );
	if ( 'https' !== $parts['scheme'] && ! ( $is_local && 'http' === $parts['scheme'] ) ) {
		return new Tillkit_Error( 'tillkit_checkout_server', tillkit_text( 'The checkout server address must begin with https://' ) );
	}
	return $url;
}

/** @return string|Tillkit_Error */
function tillkit_validate_store_id( string $input ) {
	if ( '' === $input || preg_match( TILLKIT_STORE_ID, $input ) ) {
		return $input;
	}
	return new Tillkit_Error( 'tillkit_store', tillkit_text( 'The store id can contain only letters, digits, hyphens and underscores, 64 at most.' ) );
}

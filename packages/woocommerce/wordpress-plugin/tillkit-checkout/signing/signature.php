<?php
/** Every message between shop and companion is signed with the link secret that both know. */

defined( 'ABSPATH' ) || exit;

/** @param string[] $lines None of them holds a control character, so no two lists give the same text. */
function tillkit_sign( array $lines, string $secret ): string {
	return 'v1.' . hash_hmac( 'sha256', implode( "\n", $lines ), $secret );
}

/**
 * In constant time; every secret is tried, so that the time does not tell which one fits.
 *
 * @param string[] $lines
 * @param string[] $secrets
 */
function tillkit_is_signed( array $lines, string $signature, array $secrets ): bool {
	$fits = false;
	foreach ( $secrets as $secret ) {
		$fits = hash_equals( tillkit_sign( $lines, $secret ), $signature ) || $fits;
	}
	return $fits;
}

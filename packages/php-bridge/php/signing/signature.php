<?php
/** Signatures of all messages between the shop and the checkout server, with the shared link secret. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** @param string[] $lines Without control characters, so that two lists never give the same text. */
function tillkit_sign( array $lines, string $secret ): string {
	return 'v1.' . hash_hmac( 'sha256', implode( "\n", $lines ), $secret );
}

/**
 * Compares with every secret in constant time, so that the duration does not reveal which secret matched.
 *
 * @param string[] $lines
 * @param string[] $secrets
 */
function tillkit_is_signed( array $lines, string $signature, array $secrets ): bool {
	$matches = false;
	foreach ( $secrets as $secret ) {
		$matches = hash_equals( tillkit_sign( $lines, $secret ), $signature ) || $matches;
	}
	return $matches;
}

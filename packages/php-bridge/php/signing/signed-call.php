<?php
/** Signed calls in both directions. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** The allowed difference of the clocks. */
const TILLKIT_CLOCK_TOLERANCE_SECONDS = 300;

/**
 * @param int $time Seconds since 1970.
 * @return array<string,string>
 */
function tillkit_call_headers( string $purpose, string $store, int $time, string $body, string $secret ): array {
	return array(
		'X-Tillkit-Store'     => $store,
		'X-Tillkit-Time'      => (string) $time,
		'X-Tillkit-Signature' => tillkit_sign( tillkit_call_lines( $purpose, $store, (string) $time, $body ), $secret ),
	);
}

/**
 * Checks the signature before the time: only a caller who knows the secret learns that the clocks differ.
 *
 * @param array{store:string,time:string,signature:string} $headers
 * @param string[]                                         $secrets
 * @param int                                              $now     Seconds since 1970.
 * @return string valid, signature_invalid or clock_differs
 */
function tillkit_verify_call( string $purpose, array $headers, string $body, array $secrets, int $now ): string {
	$lines = tillkit_call_lines( $purpose, $headers['store'], $headers['time'], $body );
	if ( ! preg_match( '/^[0-9]{1,12}\z/', $headers['time'] ) || ! tillkit_is_signed( $lines, $headers['signature'], $secrets ) ) {
		return 'signature_invalid';
	}
	return abs( (int) $headers['time'] - $now ) <= TILLKIT_CLOCK_TOLERANCE_SECONDS ? 'valid' : 'clock_differs';
}

/** @return string[] */
function tillkit_call_lines( string $purpose, string $store, string $time, string $body ): array {
	return array( 'tillkit v1 call', $purpose, $store, $time, hash( 'sha256', $body ) );
}

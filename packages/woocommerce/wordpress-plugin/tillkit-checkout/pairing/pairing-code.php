<?php
/**
 * The one-time code of a pairing. The owner's browser carries it to the checkout server, which exchanges it for a link secret. The
 * shop keeps only its hash.
 */

defined( 'ABSPATH' ) || exit;

const TILLKIT_PAIRING_OPTION           = 'tillkit_pairing';
const TILLKIT_PAIRING_LIFETIME_SECONDS = 900;

/** A new code, valid once and for fifteen minutes, for the checkout server at this address only. It replaces an older code. */
function tillkit_new_pairing_code( string $checkout_server, int $now ): string {
	$code = bin2hex( random_bytes( 32 ) );
	update_option(
		TILLKIT_PAIRING_OPTION,
		array(
			'hash'            => hash( 'sha256', $code ),
			'checkout_server' => $checkout_server,
			'expires'         => $now + TILLKIT_PAIRING_LIFETIME_SECONDS,
		),
		false
	);
	return $code;
}

/**
 * What proves to a checkout server that it knows this shop already: the code, signed with the link secret. Empty for a shop that was not
 * connected before.
 *
 * @return array{store?:string,proof?:string}
 */
function tillkit_pairing_proof( string $code ): array {
	$settings = tillkit_settings();
	if ( ! tillkit_is_configured() ) {
		return array();
	}
	return array(
		'store' => $settings['store'],
		'proof' => tillkit_sign( array( 'tillkit v1 pair', $settings['store'], $code ), $settings['secrets'][0] ),
	);
}

/** Whether the code is valid. A valid code is used up under a lock, so that only one of two simultaneous calls can use it. */
function tillkit_use_pairing_code( string $code, string $checkout_server, int $now ): bool {
	$use = static function () use ( $code, $checkout_server, $now ): bool {
		wp_cache_delete( TILLKIT_PAIRING_OPTION, 'options' );
		$stored   = (array) get_option( TILLKIT_PAIRING_OPTION, array() );
		$is_valid = isset( $stored['hash'], $stored['checkout_server'], $stored['expires'] )
			&& hash_equals( (string) $stored['hash'], hash( 'sha256', $code ) )
			&& $stored['checkout_server'] === $checkout_server
			&& $stored['expires'] >= $now;
		if ( $is_valid ) {
			delete_option( TILLKIT_PAIRING_OPTION );
		}
		return $is_valid;
	};
	return true === tillkit_with_lock( 'pairing', 5, $use );
}

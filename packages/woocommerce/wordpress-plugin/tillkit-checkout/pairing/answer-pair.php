<?php
/** Answers `pair`: the checkout server exchanges the one-time code of the owner for a new link secret. */

defined( 'ABSPATH' ) || exit;

function tillkit_answer_pair( WP_REST_Request $request ): WP_REST_Response {
	$bytes  = (string) $request->get_body();
	$answer = strlen( $bytes ) > TILLKIT_MAX_BODY_BYTES ? tillkit_bad_request() : tillkit_pair( $bytes, time() );
	tillkit_log_answer( 'pair', $answer );
	return tillkit_respond( $answer );
}

/** @return array|WP_Error */
function tillkit_pair( string $bytes, int $now ) {
	$body = json_decode( $bytes, false, 8 );
	if ( ! $body instanceof stdClass ) {
		return tillkit_bad_request();
	}
	$fields = tillkit_read_fields(
		(array) $body,
		array(
			'code'            => '/^[0-9a-f]{64}\z/',
			'store'           => '/^[A-Za-z0-9_-]{1,64}\z/',
			'checkout_server' => '/^https?:\/\/[^\x00-\x20<>"]{1,500}\z/',
		)
	);
	if ( null === $fields ) {
		return tillkit_bad_request();
	}
	if ( ! tillkit_use_pairing_code( $fields['code'], $fields['checkout_server'], $now ) ) {
		return new WP_Error( 'tillkit_pairing_refused', __( 'This connection has expired or was already made. Open the settings of Tillkit in WordPress and connect again.', 'tillkit-checkout' ), array( 'status' => 403 ) );
	}
	$environment = ( (array) $body )['environment'] ?? '';
	tillkit_remember_environment( is_string( $environment ) ? $environment : '' );
	return tillkit_save_pairing( $fields + array( 'owner_pages' => true === ( $body->owner_pages ?? null ) ? 'yes' : '' ) );
}

/** The previous link secret stays valid, so that payments in progress are not disturbed. */
function tillkit_save_pairing( array $fields ): array {
	$stored = tillkit_link_secrets();
	$secret = bin2hex( random_bytes( 32 ) );
	tillkit_save_link_secrets( $secret, $stored[0] ?? '' );
	$settings                    = (array) get_option( 'woocommerce_tillkit_settings', array() );
	$settings['checkout_server'] = $fields['checkout_server'];
	$settings['store']           = $fields['store'];
	$settings['owner_pages']     = $fields['owner_pages'];
	update_option( 'woocommerce_tillkit_settings', $settings );
	return array(
		'protocol'     => 1,
		'store'        => $fields['store'],
		'link_secret'  => $secret,
		'settings_url' => tillkit_settings_url(),
		'currency'     => (string) get_woocommerce_currency(),
		'name'         => wp_specialchars_decode( (string) get_bloginfo( 'name' ), ENT_QUOTES ),
		'version'      => TILLKIT_VERSION,
	);
}

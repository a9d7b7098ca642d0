<?php
/** Calls of the shop to the checkout server. They contain a signature and never the link secret. */

defined( 'ABSPATH' ) || exit;

/**
 * Calls the checkout server. If the answer is that the clocks differ, the call is repeated once with the checkout server's time.
 *
 * @param string $purpose refund, status, check, decide, health, preview, export, erase, installation, login or disconnect
 * @return array<string,mixed>|WP_Error The message of the error is plain text for people; its data has the status.
 */
function tillkit_call_checkout_server( string $purpose, array $body_fields ) {
	$answer = tillkit_call_checkout_server_at( time(), $purpose, $body_fields );
	if ( is_wp_error( $answer ) && 'tillkit_clock_differs' === $answer->get_error_code() ) {
		$data = $answer->get_error_data();
		return isset( $data['now'] ) && is_int( $data['now'] ) ? tillkit_call_checkout_server_at( $data['now'], $purpose, $body_fields ) : $answer;
	}
	return $answer;
}

/** @return array<string,mixed>|WP_Error */
function tillkit_call_checkout_server_at( int $time, string $purpose, array $body_fields ) {
	if ( ! tillkit_is_configured() ) {
		return new WP_Error( 'tillkit_not_configured', __( 'Enter the checkout server address, the store id and the link secret first.', 'tillkit-checkout' ), array( 'status' => 0 ) );
	}
	$options = array( 'timeout' => in_array( $purpose, array( 'check', 'refund', 'decide' ), true ) ? 30 : 20 );
	$started = microtime( true );
	$reply   = tillkit_post_to_checkout_server( $time, $purpose, $body_fields, $options );
	$answer  = is_wp_error( $reply ) ? tillkit_no_answer( 0 ) : tillkit_read_answer( $reply );
	tillkit_remember_original( $answer );
	tillkit_log_call( $purpose, $body_fields, $answer, $started );
	return $answer;
}

/** Requests a check of the order's payments without waiting for the result. */
function tillkit_request_check( WC_Order $order ): void {
	if ( ! tillkit_is_configured() ) {
		return;
	}
	$body_fields = array(
		'order' => (string) $order->get_id(),
		'key'   => (string) $order->get_order_key(),
	);
	$options = array(
		'timeout'  => 1,
		'blocking' => false,
	);
	tillkit_post_to_checkout_server( time(), 'check', $body_fields, $options );
}

/**
 * @param array $options For wp_remote_post().
 * @return array|WP_Error From wp_remote_post().
 */
function tillkit_post_to_checkout_server( int $time, string $purpose, array $body_fields, array $options ) {
	$routes = array(
		'refund'       => '/woo/refunds',
		'status'       => '/woo/orders/status',
		'check'        => '/woo/orders/check',
		'decide'       => '/woo/orders/decide',
		'health'       => '/woo/health',
		'preview'      => '/woo/preview',
		'export'       => '/woo/orders/export',
		'erase'        => '/woo/orders/erase',
		'installation' => '/woo/installation',
		'login'        => '/woo/login',
		'disconnect'   => '/woo/disconnect',
	);
	$settings = tillkit_settings();
	$body     = (string) wp_json_encode( (object) ( $body_fields + array( 'site' => tillkit_site_address() ) ) );
	return wp_remote_post(
		$settings['checkout_server'] . $routes[ $purpose ],
		$options + array(
			'redirection'         => 0,
			'limit_response_size' => 1048576,
			'headers'             => tillkit_call_headers( $purpose, $settings['store'], $time, $body, $settings['secrets'][0] )
				+ array(
					'Content-Type' => 'application/json',
					'Accept'       => 'application/json',
				),
			'body'                => $body,
		)
	);
}

/**
 * Accepts only a JSON object as an answer.
 *
 * @param array $reply From wp_remote_post().
 * @return array<string,mixed>|WP_Error
 */
function tillkit_read_answer( array $reply ) {
	$status = (int) wp_remote_retrieve_response_code( $reply );
	$body   = json_decode( (string) wp_remote_retrieve_body( $reply ), false, 32 );
	if ( ! $body instanceof stdClass ) {
		return tillkit_no_answer( $status );
	}
	$answer = json_decode( (string) wp_json_encode( $body ), true );
	if ( 200 === $status ) {
		return $answer;
	}
	$code = isset( $answer['code'] ) && is_string( $answer['code'] ) ? $answer['code'] : '';
	if ( 0 !== strpos( $code, 'tillkit_' ) || ! isset( $answer['message'] ) || ! is_string( $answer['message'] ) ) {
		return tillkit_no_answer( $status );
	}
	$data = isset( $answer['data'] ) && is_array( $answer['data'] ) ? $answer['data'] : array();
	$about = array(
		'status'  => $status,
		'copy_of' => $answer['copy_of'] ?? null,
	);
	return new WP_Error( $code, $answer['message'], array_merge( $data, array_filter( $about ) ) );
}

/** The error for a missing answer. The checkout server may have executed the call. */
function tillkit_no_answer( int $status ): WP_Error {
	$text = 0 === $status
		? __( 'The checkout server does not answer. Check its address, and that the shop can reach it.', 'tillkit-checkout' )
		/* translators: %d: an HTTP status, such as 502 */
		: sprintf( __( 'The answer does not come from the checkout server (HTTP %d). Check the checkout server address.', 'tillkit-checkout' ), $status );
	return new WP_Error( 'tillkit_no_answer', $text, array( 'status' => $status ) );
}

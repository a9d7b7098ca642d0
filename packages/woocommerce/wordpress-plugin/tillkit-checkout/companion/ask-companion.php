<?php
/** Calls of the shop to the companion. Errors and answers carry no secret: only the signature leaves the shop. */

defined( 'ABSPATH' ) || exit;

/**
 * Asks once; a second time only when the companion says that the clocks differ, then with its time.
 *
 * @param string $purpose refund, status, check, health or preview
 * @return array<string,mixed>|WP_Error The error's message is plain text for a person, its data holds the status.
 */
function tillkit_ask( string $purpose, array $question ) {
	$answer = tillkit_ask_at( time(), $purpose, $question );
	if ( is_wp_error( $answer ) && 'tillkit_clock_differs' === $answer->get_error_code() ) {
		$data = $answer->get_error_data();
		return isset( $data['now'] ) && is_int( $data['now'] ) ? tillkit_ask_at( $data['now'], $purpose, $question ) : $answer;
	}
	return $answer;
}

/** @return array<string,mixed>|WP_Error */
function tillkit_ask_at( int $time, string $purpose, array $question ) {
	if ( ! tillkit_is_configured() ) {
		return new WP_Error( 'tillkit_not_configured', __( 'Enter the companion’s address, the store id and the link secret first.', 'tillkit-checkout' ), array( 'status' => 0 ) );
	}
	$options = array( 'timeout' => in_array( $purpose, array( 'check', 'refund' ), true ) ? 30 : 20 );
	$reply   = tillkit_post( $time, $purpose, $question, $options );
	return is_wp_error( $reply ) ? tillkit_no_answer( 0 ) : tillkit_read_answer( $reply );
}

/** Makes the companion look at an order's payments soon, and does not wait for what it finds. */
function tillkit_ask_to_look( WC_Order $order ): void {
	if ( ! tillkit_is_configured() ) {
		return;
	}
	$question = array(
		'order' => (string) $order->get_id(),
		'key'   => (string) $order->get_order_key(),
	);
	$options  = array(
		'timeout'  => 1,
		'blocking' => false,
	);
	tillkit_post( time(), 'check', $question, $options );
}

/**
 * @param array $options Of this call.
 * @return array|WP_Error As wp_remote_post() gives it.
 */
function tillkit_post( int $time, string $purpose, array $question, array $options ) {
	$routes   = array(
		'refund'  => '/woo/refunds',
		'status'  => '/woo/orders/status',
		'check'   => '/woo/orders/check',
		'health'  => '/woo/health',
		'preview' => '/woo/preview',
	);
	$settings = tillkit_settings();
	$body     = (string) wp_json_encode( (object) $question );
	return wp_remote_post(
		$settings['companion'] . $routes[ $purpose ],
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
 * Takes nothing but a JSON object for an answer.
 *
 * @param array $reply As wp_remote_post() gives it.
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
	return new WP_Error( $code, $answer['message'], array_merge( $data, array( 'status' => $status ) ) );
}

/** Nobody knows whether the companion did what it was asked for. */
function tillkit_no_answer( int $status ): WP_Error {
	$text = 0 === $status
		? __( 'The companion does not answer. Check its address, and that this server may call it.', 'tillkit-checkout' )
		/* translators: %d: a status of HTTP, such as 502 */
		: sprintf( __( 'Something else answered in the companion’s place (HTTP %d). Check its address.', 'tillkit-checkout' ), $status );
	return new WP_Error( 'tillkit_no_answer', $text, array( 'status' => $status ) );
}

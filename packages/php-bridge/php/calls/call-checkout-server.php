<?php
/** Calls of the shop to the checkout server. They contain a signature and never the link secret. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** How long the answer to a call is waited for. The checkout server asks the payment service before it answers some of them. */
const TILLKIT_CALL_SECONDS      = 20;
const TILLKIT_LONG_CALL_SECONDS = 30;

/**
 * Calls the checkout server. If the answer is that the clocks differ, the call is repeated once with the checkout server's time.
 *
 * @param string $purpose refund, status, check, decide, health, preview, export, erase, installation, login or disconnect
 * @return array<string,mixed>|Tillkit_Error
 */
function tillkit_call_checkout_server( string $purpose, array $body_fields ) {
	$answer = tillkit_call_checkout_server_at( time(), $purpose, $body_fields );
	if ( $answer instanceof Tillkit_Error && 'tillkit_clock_differs' === $answer->code ) {
		$now = $answer->data['now'] ?? null;
		return is_int( $now ) ? tillkit_call_checkout_server_at( $now, $purpose, $body_fields ) : $answer;
	}
	return $answer;
}

/** @return array<string,mixed>|Tillkit_Error */
function tillkit_call_checkout_server_at( int $time, string $purpose, array $body_fields ) {
	if ( ! tillkit_is_configured() ) {
		return new Tillkit_Error( 'tillkit_not_configured', tillkit_text( 'Enter the checkout server address, the store id and the link secret first.' ) );
	}
	$seconds = in_array( $purpose, array( 'check', 'refund', 'decide' ), true ) ? TILLKIT_LONG_CALL_SECONDS : TILLKIT_CALL_SECONDS;
	$started = microtime( true );
	$reply   = tillkit_post_to_checkout_server( $time, $purpose, $body_fields, $seconds );
	$answer  = null === $reply ? tillkit_no_answer( 0 ) : tillkit_read_answer( $reply['status'], $reply['body'] );
	tillkit_remember_original( $answer );
	tillkit_log_call( $purpose, $body_fields, $answer, $started );
	return $answer;
}

/**
 * Calls the checkout server about an order.
 *
 * @return array<string,mixed>|Tillkit_Error
 */
function tillkit_call_about_order( string $purpose, Tillkit_Order $order, array $body_fields = array() ) {
	return tillkit_call_checkout_server( $purpose, $body_fields + tillkit_order_fields( $order ) + array( 'language' => tillkit_host()->language() ) );
}

/** Requests a check of the order's payments without waiting for the result. */
function tillkit_request_check( Tillkit_Order $order ): void {
	if ( tillkit_is_configured() ) {
		tillkit_post_to_checkout_server( time(), 'check', tillkit_order_fields( $order ), 0 );
	}
}

/** @return array{order:string,key:string} */
function tillkit_order_fields( Tillkit_Order $order ): array {
	return array(
		'order' => $order->id(),
		'key'   => $order->key(),
	);
}

/** @return array{status:int,body:string}|null */
function tillkit_post_to_checkout_server( int $time, string $purpose, array $body_fields, int $seconds ): ?array {
	$settings = tillkit_host()->settings();
	$secret   = tillkit_link_secrets()[0];
	$body     = tillkit_json( (object) ( $body_fields + array( 'site' => tillkit_host()->site_address() ) ) );
	$headers  = tillkit_call_headers( $purpose, $settings['store'], $time, $body, $secret ) + array(
		'Content-Type' => 'application/json',
		'Accept'       => 'application/json',
	);
	return tillkit_host()->post( $settings['checkout_server'] . TILLKIT_BRIDGE_PATH . $purpose, $headers, $body, $seconds );
}

/**
 * Accepts only a JSON object as an answer.
 *
 * @return array<string,mixed>|Tillkit_Error
 */
function tillkit_read_answer( int $status, string $text ) {
	$body = json_decode( $text, false, 32 );
	if ( ! $body instanceof stdClass ) {
		return tillkit_no_answer( $status );
	}
	$answer = json_decode( tillkit_json( $body ), true );
	if ( 200 === $status ) {
		return $answer;
	}
	$code = tillkit_text_field( $answer, 'code' );
	if ( 0 !== strpos( $code, 'tillkit_' ) || ! is_string( $answer['message'] ?? null ) ) {
		return tillkit_no_answer( $status );
	}
	$data = isset( $answer['data'] ) && is_array( $answer['data'] ) ? $answer['data'] : array();
	return new Tillkit_Error( $code, $answer['message'], $status, $data + array_filter( array( 'copy_of' => $answer['copy_of'] ?? null ) ) );
}

/** The error for a missing answer. The checkout server may have executed the call. */
function tillkit_no_answer( int $status ): Tillkit_Error {
	$text = 0 === $status
		? tillkit_text( 'The checkout server does not answer. Check its address, and that the shop can reach it.' )
		/* translators: %d: an HTTP status, such as 502 */
		: sprintf( tillkit_text( 'The answer does not come from the checkout server (HTTP %d). Check the checkout server address.' ), $status );
	return new Tillkit_Error( 'tillkit_no_answer', $text, $status );
}

<?php
/** REST routes for the checkout server and for the thank-you page. */

defined( 'ABSPATH' ) || exit;

/** The largest accepted body. */
const TILLKIT_MAX_BODY_BYTES = 65536;

/** How long a call waits for the lock of an order. */
const TILLKIT_LOCK_WAIT_SECONDS = 10;

function tillkit_register_routes(): void {
	$routes = array(
		'mark-paid'     => 'tillkit_answer_mark_paid',
		'hold'          => 'tillkit_answer_hold',
		'note'          => 'tillkit_answer_note',
		'record-refund' => 'tillkit_answer_record_refund',
		'decision'      => 'tillkit_answer_decision',
		'orders'        => 'tillkit_answer_order_call',
		'pair'          => 'tillkit_answer_pair',
		'ping'          => 'tillkit_answer_ping',
		'wait'          => 'tillkit_answer_payment_status',
	);
	foreach ( $routes as $name => $answer ) {
		register_rest_route(
			'tillkit/v1',
			"/$name",
			array(
				'methods'             => 'POST',
				'callback'            => $answer,
				// Callers are not WordPress users. The signature authenticates them, and for `wait` the order key.
				'permission_callback' => '__return_true',
			)
		);
	}
}

function tillkit_answer_mark_paid( WP_REST_Request $request ): WP_REST_Response {
	return tillkit_answer_under_lock( $request, 'mark-paid', 'tillkit_read_mark_paid_request', 'tillkit_mark_paid' );
}

function tillkit_answer_hold( WP_REST_Request $request ): WP_REST_Response {
	return tillkit_answer_under_lock( $request, 'hold', 'tillkit_read_hold_request', 'tillkit_hold' );
}

function tillkit_answer_note( WP_REST_Request $request ): WP_REST_Response {
	return tillkit_answer_under_lock( $request, 'note', 'tillkit_read_note_request', 'tillkit_add_note' );
}

function tillkit_answer_record_refund( WP_REST_Request $request ): WP_REST_Response {
	return tillkit_answer_under_lock( $request, 'record-refund', 'tillkit_read_record_refund_request', 'tillkit_record_refund' );
}

function tillkit_answer_decision( WP_REST_Request $request ): WP_REST_Response {
	return tillkit_answer_under_lock( $request, 'decision', 'tillkit_read_decision_request', 'tillkit_show_decision' );
}

/**
 * Answers a call that writes an order. Calls for the same order are answered one at a time.
 *
 * @param callable $read  Reads the fields of the body; null for an invalid body.
 * @param callable $write Receives the fields and the time.
 */
function tillkit_answer_under_lock( WP_REST_Request $request, string $purpose, callable $read, callable $write ): WP_REST_Response {
	$body = tillkit_receive_call( $request, $purpose );
	$fields = is_wp_error( $body ) ? null : $read( $body );
	if ( null === $fields ) {
		$refusal = is_wp_error( $body ) ? $body : tillkit_bad_request();
		tillkit_log_answer( $purpose, $refusal );
		return tillkit_respond( $refusal );
	}
	$work = static function () use ( $write, $fields ) {
		return tillkit_run_as_checkout_server(
			static function () use ( $write, $fields ) {
				return $write( $fields, time() );
			}
		);
	};
	$answer = tillkit_with_lock( $fields['order'], TILLKIT_LOCK_WAIT_SECONDS, $work );
	$answer = $answer ?? new WP_Error( 'tillkit_busy', __( 'The order is locked by another process. Try again.', 'tillkit-checkout' ), array( 'status' => 503 ) );
	tillkit_log_answer( $purpose, $answer );
	return tillkit_respond( $answer );
}

function tillkit_answer_ping( WP_REST_Request $request ): WP_REST_Response {
	$body = tillkit_receive_call( $request, 'ping' );
	return tillkit_respond( is_wp_error( $body ) ? $body : tillkit_ping( time() ) );
}

/**
 * Verifies a signed call: size, signature, clock and JSON, in this order.
 *
 * @return array|WP_Error
 */
function tillkit_receive_call( WP_REST_Request $request, string $purpose ) {
	$bytes = (string) $request->get_body();
	if ( strlen( $bytes ) > TILLKIT_MAX_BODY_BYTES ) {
		return new WP_Error( 'tillkit_body_too_large', __( 'The call is too large.', 'tillkit-checkout' ), array( 'status' => 413 ) );
	}
	$headers = array(
		'store'     => (string) $request->get_header( 'X-Tillkit-Store' ),
		'time'      => (string) $request->get_header( 'X-Tillkit-Time' ),
		'signature' => (string) $request->get_header( 'X-Tillkit-Signature' ),
	);
	$settings = tillkit_settings();
	$now      = time();
	$result   = tillkit_verify_call( $purpose, $headers, $bytes, $settings['secrets'], $now );
	if ( 'signature_invalid' === $result || $headers['store'] !== $settings['store'] ) {
		return new WP_Error( 'tillkit_signature_invalid', __( 'The signature does not match: give the checkout server and the plugin the same store id and link secret.', 'tillkit-checkout' ), array( 'status' => 401 ) );
	}
	if ( 'clock_differs' === $result ) {
		return new WP_Error(
			'tillkit_clock_differs',
			__( 'The clocks of the shop and the checkout server differ: synchronise both clocks (NTP).', 'tillkit-checkout' ),
			array(
				'status' => 401,
				'now'    => $now,
			)
		);
	}
	$body = json_decode( $bytes, false, 8 );
	return $body instanceof stdClass ? (array) $body : tillkit_bad_request();
}

function tillkit_bad_request(): WP_Error {
	return new WP_Error( 'tillkit_bad_request', __( 'The call does not follow the protocol: update the checkout server and the plugin to the same version.', 'tillkit-checkout' ), array( 'status' => 400 ) );
}

/** @param array|WP_Error $answer */
function tillkit_respond( $answer ): WP_REST_Response {
	$headers = array( 'Cache-Control' => 'no-store' );
	if ( ! is_wp_error( $answer ) ) {
		return new WP_REST_Response( $answer, 200, $headers );
	}
	$data = $answer->get_error_data();
	$body = array(
		'code'    => $answer->get_error_code(),
		'message' => $answer->get_error_message(),
		'data'    => $data,
	);
	return new WP_REST_Response( $body, $data['status'], $headers );
}

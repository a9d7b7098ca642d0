<?php
/** REST routes for the checkout server and for the thank-you page. */

defined( 'ABSPATH' ) || exit;

function tillkit_register_routes(): void {
	$routes = array(
		'orders' => 'tillkit_answer_order_call',
		'pair'   => 'tillkit_answer_pair',
		'wait'   => 'tillkit_answer_payment_status',
	);
	foreach ( array( 'mark-paid', 'hold', 'note', 'record-refund', 'decision', 'ping' ) as $purpose ) {
		$routes[ $purpose ] = static function ( WP_REST_Request $request ) use ( $purpose ): WP_REST_Response {
			return tillkit_answer_request( $purpose, $request );
		};
	}
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

function tillkit_answer_request( string $purpose, WP_REST_Request $request ): WP_REST_Response {
	return tillkit_respond( tillkit_answer_call( $purpose, tillkit_call_headers_of( $request ), (string) $request->get_body(), time() ) );
}

/** `pair` has no signature: it brings the secret. */
function tillkit_answer_pair( WP_REST_Request $request ): WP_REST_Response {
	$answer = tillkit_pair( (string) $request->get_body(), time() );
	tillkit_log_answer( 'pair', $answer );
	return tillkit_respond( $answer );
}

/** @return array{store:string,time:string,signature:string} */
function tillkit_call_headers_of( WP_REST_Request $request ): array {
	return array(
		'store'     => (string) $request->get_header( 'X-Tillkit-Store' ),
		'time'      => (string) $request->get_header( 'X-Tillkit-Time' ),
		'signature' => (string) $request->get_header( 'X-Tillkit-Signature' ),
	);
}

/** @param array|Tillkit_Error $answer */
function tillkit_respond( $answer ): WP_REST_Response {
	$response = tillkit_response( $answer );
	return new WP_REST_Response( $response['body'], $response['status'], array( 'Cache-Control' => 'no-store' ) );
}

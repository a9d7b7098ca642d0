<?php
/** Sends a real HTTP request, where the other tests use the stub of wp_remote_post(). */
function send_over_http( string $url, array $options ): array {
	$headers = '';
	foreach ( $options['headers'] as $name => $value ) {
		$headers .= "$name: $value\r\n";
	}
	$http = array( 'method' => 'POST', 'header' => $headers, 'content' => $options['body'], 'follow_location' => 0, 'ignore_errors' => true );
	$body = file_get_contents( $url, false, stream_context_create( array( 'http' => $http ) ) );
	return array( 'status' => (int) explode( ' ', $http_response_header[0] )[1], 'body' => $body );
}

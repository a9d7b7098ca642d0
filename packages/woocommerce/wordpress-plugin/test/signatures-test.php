<?php
foreach ( vectors( 'pay-links' )['signed'] as $vector ) {
	test(
		"A pay link is signed as the companion reads it: {$vector['title']}",
		static function () use ( $vector ): void {
			$secret = vectors( 'pay-links' )['secret'];
			same( 'https://pay.example/woo/pay?' . $vector['query'], tillkit_pay_link( 'https://pay.example', $vector['link'], $secret ) );
		}
	);
}

test(
	'A pay link that the companion would call broken is not made',
	static function (): void {
		$link = vectors( 'pay-links' )['signed'][0]['link'];
		foreach ( array( 'order' => '0', 'key' => 'a b', 'amount' => "5000\n", 'currency' => 'FCFA', 'store' => '', 'exp' => '-1' ) as $field => $odd ) {
			same( null, tillkit_pay_link( 'https://pay.example', array( $field => $odd ) + $link, SECRET ), $field );
		}
	}
);

foreach ( vectors( 'calls' )['signed'] as $vector ) {
	test(
		"A call is signed as the companion signs it: {$vector['title']}",
		static function () use ( $vector ): void {
			$calls = vectors( 'calls' );
			same( $vector['headers'], tillkit_call_headers( $vector['purpose'], $calls['store'], $calls['now'], $vector['body'], $calls['secret'] ) );
		}
	);
}

foreach ( vectors( 'calls' )['read'] as $vector ) {
	test(
		"A call of the companion is {$vector['say']}: {$vector['title']}",
		static function () use ( $vector ): void {
			$calls   = vectors( 'calls' );
			$headers = array(
				'store'     => $vector['headers']['X-Tillkit-Store'],
				'time'      => $vector['headers']['X-Tillkit-Time'],
				'signature' => $vector['headers']['X-Tillkit-Signature'],
			);
			$secrets = array( $calls['secret'], $calls['previousSecret'] );
			same( $vector['say'], tillkit_read_call( $vector['purpose'], $headers, $vector['body'], $secrets, $vector['now'] ) );
		}
	);
}

test(
	'Nothing is signed by a shop without a secret',
	static function (): void {
		$call = array( 'store' => 'boutique', 'time' => '1764000000', 'signature' => tillkit_sign( tillkit_call_lines( 'ping', 'boutique', '1764000000', '{}' ), '' ) );
		same( 'signature_invalid', tillkit_read_call( 'ping', $call, '{}', array(), 1764000000 ) );
	}
);

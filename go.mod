module github.com/mirin-go/mirin

go 1.26
